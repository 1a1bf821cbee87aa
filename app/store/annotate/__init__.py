"""What annotators say of reports: quotes, concepts, how far each is and what each had on show."""
