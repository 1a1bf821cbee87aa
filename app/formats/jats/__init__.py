"""Read JATS/NLM XML, one article or many in a file, into documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lxml.etree import _Element as Element

from app.formats.documents.builder import Marks, Outside, TextBuilder
from app.formats.format import Format, is_xml
from app.formats.jats.blocks import Blocks, heading_of
from app.formats.jats.figures import figures_of, name_figures
from app.formats.jats.inline import child_of
from app.formats.jats.metadata import XML_LANG, Front, read_front
from app.formats.pictures.packages import Payload
from app.formats.record import Imported, LeftOut
from app.formats.xml_input import parse_xml
from extractors.model.document import Document
from extractors.model.errors import FormatError
from extractors.model.figure import Figure

_ABSTRACT_NAMES = {
    "graphical": "Graphical abstract",
    "teaser": "Teaser",
    "toc": "Summary for the table of contents",
    "summary": "Summary",
    "short": "Short abstract",
    "executive-summary": "Executive summary",
    "plain-language-summary": "Plain language summary",
    "key-points": "Key points",
    "highlights": "Highlights",
}
_BACK_NAMES = {
    "ack": "Acknowledgements",
    "glossary": "Abbreviations",
    "fn-group": "Footnotes",
    "bio": "About the author",
}
_REVIEWS = frozenset(
    "decision-letter reply author-comment reviewer-report referee-report editor-report editorial-assessment"
    " response peer-review aggregated-review-documents review-report refereereport community-comment".split()
)
_BACKGROUND: Outside = ("background", "")
_BACK_MATTER: Outside = ("excluded", "back matter")


def read_articles(
    data: bytes, categories: Sequence[str]
) -> Iterator[tuple[Document, tuple[Figure, ...]] | FormatError]:
    """The articles of a JATS file in order, each with its figures; a FormatError for one that is of no use.

    Raises FormatError where the file as a whole is no XML or holds no article.
    """
    for article in _articles(parse_xml(data)):
        try:
            document, marks = _document(article, categories)
        except FormatError as error:
            yield error
        except RecursionError:
            yield FormatError("The article is nested too deeply to be read.")
        else:
            yield document, figures_of(article, document.text, marks)


def _articles(root: Element) -> list[Element]:
    """The root itself, or every article inside it (pmc-articleset, OAI records)."""
    if root.tag != "article":
        _drop_namespace(root)
    if root.tag == "article" and child_of(root, "article") is None:
        return [root]
    articles = [article for article in root.iter("article") if child_of(article, "article") is None]
    if not articles:
        raise FormatError(f"The file is XML, but not a JATS article (its root is <{_local(root)}>).")
    return articles


def _drop_namespace(root: Element) -> None:
    """Take the JATS namespace off the tags: archives that wrap articles declare one, others do not."""
    article = next((element for element in root.iter("{*}article")), None)
    if article is None or not str(article.tag).startswith("{"):
        return
    namespace = str(article.tag).partition("}")[0] + "}"
    for element in root.iter(namespace + "*"):
        element.tag = _local(element)


def _local(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _document(article: Element, categories: Sequence[str]) -> tuple[Document, Marks]:
    front = read_front(article)
    subs = [child for child in article if child.tag in ("sub-article", "response")]
    if not any(_has_text(child_of(owner, "body")) for owner in (article, *subs)):
        abstract = ", only an abstract" if front.abstracts else ""
        raise FormatError(f"The article has no body text{abstract}; get its full text.")
    builder = TextBuilder(categories)
    walker = Blocks(builder)
    name_figures(article)
    _add_article(walker, article, front)
    for sub in subs:
        _add_sub_article(walker, sub)
    text, sections = builder.finish()
    document = Document(front.title or "Untitled", text, sections, front.identifiers, front.metadata)
    return document, builder.marks


def _has_text(element: Element | None) -> bool:
    return element is not None and any(str(text).strip() for text in element.itertext())


def _add_article(walker: Blocks, article: Element, front: Front) -> None:
    """Abstracts, body, floating figures and tables, back matter."""
    for abstract in front.abstracts:
        _add_abstract(walker, abstract)
    for part in article:
        if part.tag == "body":
            walker.builder.resume(*walker.place)
            walker.content(part)
    for part in article:
        if part.tag in ("floats-group", "floats-wrap") and _has_text(part):
            walker.section(part, "Figures and tables")
    for part in article:
        if part.tag == "back":
            _add_back(walker, part)


def _add_abstract(walker: Blocks, abstract: Element) -> None:
    outside = _BACKGROUND
    name = _ABSTRACT_NAMES.get(abstract.get("abstract-type", ""), "Abstract")
    if abstract.tag == "trans-abstract":
        language = abstract.get(XML_LANG, "").lower()
        outside = (
            "excluded",
            f"translation of the abstract ({language})" if language else "translation of the abstract",
        )
    walker.section(abstract, heading_of(abstract, name), outside)


def _add_back(walker: Blocks, back: Element) -> None:
    """What follows the body, marked as left out; appendices are background, references are not copied."""
    for part in back:
        if part.tag == "app-group":
            _add_back(walker, part)
        elif part.tag == "app":
            walker.section(part, heading_of(part, "Appendix"), _BACKGROUND)
        elif isinstance(part.tag, str) and part.tag not in ("ref-list", "title", "label") and _has_text(part):
            walker.section(part, heading_of(part, _BACK_NAMES.get(part.tag, "Notes")), _BACK_MATTER)


def _add_sub_article(walker: Blocks, sub: Element) -> None:
    """A sub-article below its own title: its text with the sections it has."""
    front = read_front(sub)
    kind = sub.get("article-type") or sub.get("response-type") or ""
    title = front.title or kind.replace("-", " ").capitalize() or "Sub-article"
    outside: Outside = _BACKGROUND
    if kind in _REVIEWS or sub.tag == "response":
        outside = ("excluded", "review of the article or reply to it")
    elif kind == "translation":
        outside = ("excluded", "translation of the article")
    before = walker.place
    walker.place = (title, (*before[1], title), outside)
    walker.builder.enter(*walker.place)
    _add_article(walker, sub, front)
    for inner in sub:
        if inner.tag in ("sub-article", "response"):
            _add_sub_article(walker, inner)
    walker.place = before


def read_payload(payload: Payload, digest: str, categories: Sequence[str]) -> Iterator[Imported | LeftOut]:
    """The articles of a JATS file as records; where there are several, each is named by its number."""
    found = list(read_articles(payload.data, categories))
    for number, article in enumerate(found, start=1):
        source = payload.source if len(found) == 1 else f"{payload.source}#{number}"
        if isinstance(article, FormatError):
            yield LeftOut(source, payload.name, str(article), failed=True)
        else:
            yield Imported(article[0], source, digest, figures=article[1], pictures=payload.pictures)


def _detect(data: bytes) -> int:
    return 2 * is_xml(data)


FORMAT = Format(
    id="jats",
    label="JATS XML",
    made_by="as PubMed Central has it",
    suffixes=(".nxml", ".xml"),
    detect=_detect,
    read=read_payload,
)
