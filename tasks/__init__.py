"""Families of tasks: texts, parameters, bound rules and reference builds."""
