"""Agreement of two sides over a set of reports, and of many runs with one side: measures, tables, pages."""

from app.agreement.compare import compare
from app.agreement.grid import Grid, GridCell
from app.agreement.grid_html import grid_html
from app.agreement.grid_tables import grid_csv, grid_json, grid_table
from app.agreement.html import to_html
from app.agreement.tables import to_csv, to_json, to_table
from app.agreement.types import NONE, PROFILES, Agreement, Cell, Item, Profile, ReportPair

__all__ = [
    "NONE",
    "PROFILES",
    "Agreement",
    "Cell",
    "Grid",
    "GridCell",
    "Item",
    "Profile",
    "ReportPair",
    "compare",
    "grid_csv",
    "grid_html",
    "grid_json",
    "grid_table",
    "to_csv",
    "to_html",
    "to_json",
    "to_table",
]
