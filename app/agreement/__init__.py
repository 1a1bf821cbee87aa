"""Agreement of two sides over a set of reports: measures, tables and a report page."""
