"""`casespan terminology search` and `show`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.cli.arguments import Command, add_json, echo, echo_json, echo_source, echo_table
from extractors.model.errors import CallError
from extractors.terminology.clusters import parts, read_cluster

if TYPE_CHECKING:
    import argparse

    from extractors.terminology.concept import Concept
    from extractors.terminology.index import Terminology
    from extractors.terminology.search import Hit


def _search_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("name", metavar="NAME", help="the terminology (HPO, ICD11 or Orphanet)")
    command.add_argument("text", metavar="TEXT", help="a name, its beginning, or a code")
    command.add_argument("--limit", type=int, default=10, metavar="N", help="at most so many (default: 10)")
    command.add_argument("--release", default="", metavar="R", help="this release (default: the newest)")
    command.add_argument(
        "--language", default="en", metavar="L", help="the language of titles, where they were imported (en)"
    )
    command.add_argument(
        "--extensions", action="store_true", help="of ICD11: find extension codes (chapter X) as well"
    )
    add_json(command)


def search(options: argparse.Namespace) -> int:
    from extractors.terminology.library import open_terminology
    from extractors.terminology.search import Search

    if options.limit < 1:
        raise CallError("--limit must be 1 or more.")
    terminology = open_terminology(options.name, options.release)
    search_in = Search(terminology, extensions=options.extensions, language=options.language)
    hits = search_in.find(options.text, options.limit)
    if options.json:
        echo_json(
            [
                {
                    "code": hit.code,
                    "label": hit.label,
                    "uri": terminology.concept(hit.code).uri,
                    "matched": {"label": hit.matched.text, "kind": hit.matched.kind},
                    "leaf": hit.leaf,
                    **({"residual": hit.residual} if terminology.classes else {}),
                    "score": hit.score,
                }
                for hit in hits
            ]
        )
    elif hits:
        echo_table(
            ("code", "label", "matched", "score"),
            [(hit.code, hit.label, _matched(hit), f"{hit.score:.2f}") for hit in hits],
        )
    else:
        echo(f"{terminology.name} {terminology.release} has nothing like “{options.text}”.")
    if hits and (terminology.classes or not options.json):
        echo_source(terminology.source, json=options.json)
    return 0


def _matched(hit: Hit) -> str:
    """What matched, words of ours and other revisions' marked."""
    mark = {"lexicon": " (our words)", "icd10": " (ICD-10)"}.get(hit.matched.kind, "")
    return f"{hit.matched.text}{mark}"


SEARCH = Command("HPO 'gait ataxia'", _search_arguments, search, project=False)


def _show_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("name", metavar="NAME", help="the terminology (HPO, ICD11 or Orphanet)")
    command.add_argument("code", metavar="CODE", help="the concept; of one that was merged the one in use")
    command.add_argument("--release", default="", metavar="R", help="this release (default: the newest)")
    add_json(command)


def show(options: argparse.Namespace) -> int:
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


SHOW = Command("HPO HP:0002066", _show_arguments, show, project=False)
