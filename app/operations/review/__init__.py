"""What a run found, judged quote by quote."""
