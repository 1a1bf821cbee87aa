"""Codes of a hospital as ICD-11 codes, by the tables and titles that the user imported."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.studies.icd11.funnel import UNTITLED, Mapped
from extractors.terminology.icd11.classes import Classes
