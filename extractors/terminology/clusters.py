"""Codes of a classification put together: stems joined by "/", each with extensions joined by "&"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from extractors.model.errors import UnknownNameError
from extractors.terminology.concept import CLASS_KINDS

if TYPE_CHECKING:
    from extractors.terminology.index import Terminology

_JOINTS = re.compile(r"\s*([/&])\s*")


@dataclass(frozen=True, slots=True)
class Cluster:
    """A code as it is stored, with titles and URIs of its parts joined as the codes are."""

    code: str
    label: str
    uri: str
    note: str = ""


def parts(code: str) -> list[str]:
    """The codes of a cluster, of a single code itself."""
    return [one.strip() for one in _JOINTS.split(code)[::2]]


def stems(code: str) -> list[str]:
    """The codes that a cluster puts side by side, without their extensions."""
    return [one.partition("&")[0].strip() for one in code.split("/")]


def read_cluster(terminology: Terminology, code: str) -> Cluster:
    """The cluster that was typed, each part looked up; which extensions a stem allows no table says.

    Raises UnknownNameError for a part that is not there, is no category, or stands in the wrong place.
    """
    # Blocks alone have small letters in their codes.
    given = _JOINTS.split(code.strip().upper().replace("BLOCKL", "BlockL"))
    joints = given[1::2]
    found = []
    for part, joint in zip(given[::2], ["/", *joints], strict=True):
        row = terminology.row(part)
        kind = CLASS_KINDS[terminology.kinds[row]] if row is not None else ""
        where = f"{terminology.name} {terminology.release}"
        if row is None:
            raise UnknownNameError(f"{part or 'A code'} is not there in {where}; search for another.")
        if kind not in ("category", "extension"):
            raise UnknownNameError(f"{part} is a {kind} of {where}; choose one of its categories.")
        if (kind == "extension") != (joint == "&"):
            fault = "an extension code, and follows a stem with &" if joint == "/" else "no extension code"
            more = "" if joint == "/" else "; join stems by /"
            raise UnknownNameError(f"{part} is {fault}{more}.")
        found.append(terminology.concept(part))

    def joined(texts: list[str], spaced: str) -> str:
        return texts[0] + "".join(
            f"{spaced}{joint}{spaced}{text}" for joint, text in zip(joints, texts[1:], strict=True)
        )

    note = (
        f"{terminology.name}'s tables do not say which extensions a stem allows; see https://icd.who.int/browse11."
        if "&" in joints
        else ""
    )
    return Cluster(
        joined([one.code for one in found], ""),
        joined([one.label for one in found], " "),
        joined([one.uri for one in found], " "),
        note,
    )
