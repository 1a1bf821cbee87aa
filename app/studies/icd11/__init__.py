"""MIMIC-SR-ICD11: which ICD-11 diseases a patient's own words speak of, built from one's own MIMIC."""
