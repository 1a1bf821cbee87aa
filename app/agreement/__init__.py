"""Agreement of two sides over a set of reports, and of many runs with one side: measures, tables, pages."""
