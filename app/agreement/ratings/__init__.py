"""Ratings of outputs by clinicians: the items of the scale, their summary and its tables."""
