"""Commands of benchmarks, and of the terminologies that they need."""
