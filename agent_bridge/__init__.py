"""Who builds: servers, bots, programs and models will live here; nothing is in it yet."""
