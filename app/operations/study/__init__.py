"""What studies do in a project: build, run, answer, judge, score, export; once for all of them."""
