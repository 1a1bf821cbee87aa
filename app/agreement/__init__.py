"""Agreement of two sides over a set of reports: measures, tables and a report page."""

from app.agreement.compare import compare
from app.agreement.html import to_html
from app.agreement.tables import to_csv, to_json, to_table
from app.agreement.types import NONE, PROFILES, Agreement, Cell, Item, Profile, ReportPair

__all__ = [
    "NONE",
    "PROFILES",
    "Agreement",
    "Cell",
    "Item",
    "Profile",
    "ReportPair",
    "compare",
    "to_csv",
    "to_html",
    "to_json",
    "to_table",
]
