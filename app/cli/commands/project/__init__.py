"""Commands on a project as a whole: its file, its reports, its history."""
