"""Extraction with local language models: prompts, schedule, clients, replies."""
