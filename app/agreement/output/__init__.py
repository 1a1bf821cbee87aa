"""What is measured, drawn: tables for terminals, CSV and JSON, pages and pictures."""
