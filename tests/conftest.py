"""How hypothesis runs everywhere: a slow machine fails no test."""

from hypothesis import settings

settings.register_profile("minece", deadline=None)
settings.load_profile("minece")
