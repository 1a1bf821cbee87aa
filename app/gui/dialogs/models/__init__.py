"""Extraction with rules and models: what is asked for, the runs, their prompts."""
