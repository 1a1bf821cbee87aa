"""What an annotator does, sees and has seen."""
