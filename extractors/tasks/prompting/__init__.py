"""What is said to a model: prompts of templates, with their variants and examples."""
