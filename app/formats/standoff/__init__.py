"""Formats of annotation tools: labels on stretches of a text, beside it or around it."""
