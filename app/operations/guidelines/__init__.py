"""Guidelines that learn from decisions."""
