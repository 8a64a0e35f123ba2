"""Scores Minecraft builds the way a construction engineer would."""
