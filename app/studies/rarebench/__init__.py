"""RareBench: rare diseases by a patient's findings, in the tasks of Chen and colleagues (KDD 2024)."""
