"""Trials that go on for as long as one likes: `make soak` in a long form, `make test` in a short one."""
