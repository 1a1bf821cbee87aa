"""What models and rules were asked and what they answered, run by run."""
