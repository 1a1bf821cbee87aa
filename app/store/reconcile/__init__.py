"""What reviewers and adjudicators decided, and what came of it: verdicts, decisions, gold, amendments."""
