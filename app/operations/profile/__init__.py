"""Phenotypes of reports: terms of an ontology with their places, and the profile they make."""
