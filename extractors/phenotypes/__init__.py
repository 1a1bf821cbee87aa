"""Phenotypes: a text in, terms of the Human Phenotype Ontology with their places out."""
