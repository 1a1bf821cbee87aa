"""What comes into a project and goes out of it as files."""
