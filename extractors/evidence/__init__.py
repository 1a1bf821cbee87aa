"""Readers of patients and of what is known of diseases."""
