"""Studies with people: design, pages and export will live here; nothing is in it yet."""
