"""Commands that let rules and models read reports, and rank what explains them."""
