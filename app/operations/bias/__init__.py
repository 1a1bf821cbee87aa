"""Does help bias: errors seeded into copies of runs, and the measures of what they show."""
