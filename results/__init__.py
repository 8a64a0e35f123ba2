"""Verdicts folded to scores, and the records and run folders that keep them."""
