"""ICD-11 as WHO hands it out: its tables, the maps to it, and what a code of another revision is in it."""
