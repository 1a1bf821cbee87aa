"""Study: benchmarks built, asked, answered by hand, rated and scored."""
