"""The mode Phenotypes: terms as spans, the profile they make, and the diseases that explain it."""
