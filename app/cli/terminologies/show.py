"""`casespan terminology show`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.cli.arguments import Command, add_json
from app.cli.console import echo, echo_json
from extractors.terminology.clusters import parts, read_cluster

if TYPE_CHECKING:
    import argparse

    from extractors.terminology.concept import Concept
    from extractors.terminology.index import Terminology


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("name", metavar="NAME", help="the terminology (HPO, ICD11 or Orphanet)")
    command.add_argument("code", metavar="CODE", help="the concept; of one that was merged the one in use")
    command.add_argument("--release", default="", metavar="R", help="this release (default: the newest)")
    add_json(command)


def show(options: argparse.Namespace) -> int:
    """Show one concept."""
    from extractors.terminology.library import open_terminology

    terminology = open_terminology(options.name, options.release)
    if terminology.classes and len(parts(options.code)) > 1:
        return _show_cluster(terminology, options)
    code = options.code if terminology.row(options.code) is not None else options.code.upper()
    concept = terminology.concept(code)
    return _show_json(terminology, concept) if options.json else _show(terminology, concept)


def _show_cluster(terminology: Terminology, options: argparse.Namespace) -> int:
    """Each part by itself."""
    cluster = read_cluster(terminology, options.code)
    concepts = [terminology.concept(one) for one in parts(cluster.code)]
    if options.json:
        values = {"code": cluster.code, "label": cluster.label, "uri": cluster.uri}
        rows = [_as_json(terminology, one) for one in concepts]
        echo_json({**values, "release": terminology.release, "parts": rows})
        return 0
    echo(f"{cluster.code}  {cluster.label}")
    for one in concepts:
        _show(terminology, one)
    return 0


def _show_json(terminology: Terminology, concept: Concept) -> int:
    echo_json(_as_json(terminology, concept))
    return 0


def _around(terminology: Terminology, concept: Concept) -> tuple[list[str], dict[str, str]]:
    """The codes right below, and the labels of all that stand right above and below."""
    row = terminology.row(concept.code)
    children = [] if row is None else [terminology.codes[one] for one in terminology.children[row]]
    return children, {code: terminology.concept(code).label for code in (*concept.parents, *children)}


def _as_json(terminology: Terminology, concept: Concept) -> dict[str, object]:
    children, labels = _around(terminology, concept)
    classified = {
        "kind": concept.kind,
        "chapter": concept.chapter,
        "residual": concept.residual,
        "leaf": not children,
        "icd10": [one.removeprefix("ICD10:") for one in concept.xrefs if one.startswith("ICD10:")],
        "source": terminology.source,
    }
    return {
        "code": concept.code,
        "label": concept.label,
        "definition": concept.definition,
        "uri": concept.uri,
        "release": terminology.release,
        "obsolete": concept.obsolete,
        "replaced_by": concept.replaced_by or None,
        "alternatives": list(concept.alternatives),
        "synonyms": [
            {"label": one.text, "kind": one.kind, "language": one.language} for one in concept.names[1:]
        ],
        "parents": [{"code": code, "label": labels[code]} for code in concept.parents],
        "children": [{"code": code, "label": labels[code]} for code in children],
        "xrefs": list(concept.xrefs),
        **(classified if terminology.classes else {}),
    }


def _show(terminology: Terminology, concept: Concept) -> int:
    children, labels = _around(terminology, concept)
    echo(f"{concept.code}  {concept.label}  ({terminology.name} {terminology.release})")
    if concept.obsolete:
        successor = f"; {concept.replaced_by} stands in its place" if concept.replaced_by else ""
        echo(f"  no longer in use{successor}")
    if concept.definition:
        echo(f"  {concept.definition}")
    for title, lines in (
        ("also called", [f"{one.text} ({one.kind})" for one in concept.names[1:]]),
        ("more general", [f"{code} {labels[code]}" for code in concept.parents]),
        ("more special", [f"{code} {labels[code]}" for code in children]),
        ("elsewhere", concept.xrefs),
    ):
        if lines:
            echo(f"  {title}: {'; '.join(lines)}")
    if terminology.classes:
        echo(f"  {concept.uri}")
        echo(f"  {terminology.source}")
    return 0


COMMAND = Command("HPO HP:0002066", _arguments, show, project=False)
