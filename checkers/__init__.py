"""Regions and rules: a build comes in, verdicts go out."""
