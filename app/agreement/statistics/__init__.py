"""Statistics of shares and ratings: intervals, tests, agreement beyond chance."""
