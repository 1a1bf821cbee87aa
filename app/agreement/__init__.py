"""Agreement of two sides over a set of reports, and of many runs with one side: measures, tables, pages."""

from app.agreement.compare import PairScores, compare, comparing
from app.agreement.drill_down import DrilledReport, confused, drill_down
from app.agreement.grid import Grid, GridCell
from app.agreement.output.grid_tables import grid_csv, grid_html, grid_json, grid_table
from app.agreement.output.html import to_html
from app.agreement.output.tables import to_csv, to_json, to_table
from app.agreement.shares import AnnotatedShares, CategoryShare
from app.agreement.types import NONE, PROFILES, Agreement, Cell, Counterpart, Item, Profile, ReportPair

__all__ = [
    "NONE",
    "PROFILES",
    "Agreement",
    "AnnotatedShares",
    "CategoryShare",
    "Cell",
    "Counterpart",
    "DrilledReport",
    "Grid",
    "GridCell",
    "Item",
    "PairScores",
    "Profile",
    "ReportPair",
    "compare",
    "comparing",
    "confused",
    "drill_down",
    "grid_csv",
    "grid_html",
    "grid_json",
    "grid_table",
    "to_csv",
    "to_html",
    "to_json",
    "to_table",
]
