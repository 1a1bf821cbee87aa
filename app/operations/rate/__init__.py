"""Ratings of what a run or a person has in a report."""
