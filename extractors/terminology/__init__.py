"""Terminologies (HPO, ICD-11, Orphanet): concepts, search as one types, and the hierarchy."""
