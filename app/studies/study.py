"""What a study declares: a benchmark as data and pure functions; it stores nothing and calls no server."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from app.studies.results import Again, Item, Measure, Row, RunScores, Scores, Settings
from app.text import as_label
from extractors.model.errors import CallError
from extractors.tasks.base import Form, Prompt

if TYPE_CHECKING:
    from app.studies.charts import Picture
    from app.tables import Table as DrawnTable
    from extractors.blinding.view import View
    from extractors.model.document import Document
    from extractors.model.finding import Finding
    from extractors.model.progress import Progress

Action: TypeAlias = Literal["build", "items", "run", "answer", "judge", "score"]


@dataclass(frozen=True, slots=True)
class Option:
    """An option of the command line: `name` without dashes, what it is `about`, and the actions that it
    belongs to (`of`).

    `kind` reads its value (str, int, float, Path); a `flag` has none; `several` may be given again and again
    and make a tuple. `apart` where another value makes another run. Of numbers `least` is the smallest.
    `label` and `words` are what the window calls it and its choices; a `seldom` one is folded away there.
    """

    name: str
    about: str
    of: tuple[Action, ...]
    kind: Callable[[str], Any] = str
    choices: tuple[str, ...] = ()
    default: Any = None
    flag: bool = False
    several: bool = False
    required: bool = False
    apart: bool = True
    least: int | None = None
    label: str = ""
    words: tuple[str, ...] = ()
    seldom: bool = False

    @property
    def key(self) -> str:
        """As settings call it."""
        return self.name.replace("-", "_")


in_build = partial(Option, of=("build",))
in_run = partial(Option, of=("items", "run"))
seldom_in_build = partial(in_build, seldom=True)
seldom_in_run = partial(in_run, seldom=True)


@dataclass(frozen=True, slots=True)
class Reports:
    """What the project itself holds: `documents` by key; by key, too, `findings` of an annotator (name), and
    the categories in which the annotator has `looked` through a report, found something or not."""

    documents: Mapping[str, Document]
    findings: Callable[[str], Mapping[str, Sequence[Finding]]]
    looked: Callable[[str], Mapping[str, Sequence[str]]] = lambda name: {}


@dataclass(frozen=True, slots=True)
class CaseView:
    """A report (its key) as a view shows it without its answer: the diagnosis by code, label and aliases,
    kinds of pictures by figure, and the licence of the article, "" where unknown."""

    report: str
    view: View
    code: str
    label: str
    aliases: Sequence[str]
    modalities: Mapping[str, str]
    licence: str = ""


@dataclass(frozen=True, slots=True)
class Building:
    """What a build is given: files and folders, own options, a seed, the tasks wanted (all where empty), the
    items there are already, and the project's own reports, read when they are asked for.

    `ask` has a model (its name, "" for recorded replies) answer drafts of items, for a study that says
    `builds_with_model`: the values by task and id, of those that have one; what was answered is not asked
    again. Raises CallError where no model can be asked. `built` is what was said of the last build
    (details), `picture` gives the bytes of a picture of the project by SHA-256, if it has it. `blocks` are
    the words of a report (its key) by the identifiers of its blocks, `views` the blinded views of the
    project's reports for tracks in a profile, T4 ending at `cuts` (report to offset); it raises CallError
    for a cut that is none.
    """

    paths: Sequence[Path]
    settings: Settings
    seed: int
    tasks: tuple[str, ...]
    there: Sequence[Item]
    reports: Callable[[], Reports]
    ask: Callable[[str, Sequence[Item], Ask], Generator[Progress, None, Mapping[tuple[str, str], Any]]]
    built: Mapping[str, Any] = field(default_factory=dict)
    picture: Callable[[str], bytes | None] = lambda sha256: None
    blocks: Callable[[str], Mapping[str, str]] = lambda report: {}
    views: Callable[[Sequence[str], str, Mapping[str, int]], Sequence[CaseView]] = lambda *_: ()


@dataclass(frozen=True, slots=True)
class Built:
    """What came of it. `sources` have file, version, sha256, licence and rows; `left_out` counts by reason.

    `guard` names the licence of patients' data that may leave the machine only by permission, "" for none.
    Of a label `values` are those that are counted also where no item has them. Items name their `pictures`
    by the SHA-256 that these are kept under. A build of no items is put on `record` where it says so; `files`
    are written besides; `wrong` where it looked for faults and found some, or could not read a part.
    """

    items: Sequence[Item]
    left_out: Mapping[str, int] = field(default_factory=dict)
    sources: Sequence[Mapping[str, Any]] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    notes: Sequence[str] = ()
    guard: str = ""
    values: Mapping[str, Sequence[str]] = field(default_factory=dict)
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    record: bool = False
    files: Mapping[Path, str] = field(default_factory=dict)
    wrong: bool = False


def _no_picture(sha256: str) -> bytes:
    raise CallError(f"There is no picture {sha256[:12]} in the project.")


@dataclass(frozen=True, slots=True)
class Job:
    """What a method or a model's questions are made for: own options, seed, and every item of the study.

    `drafted` is what the model answered to the study's `drafts` before, by task and id; `earlier` gives the
    runs there are, each with its settings and answers. `picture` gives the bytes of a picture by SHA-256.
    """

    settings: Settings
    seed: int
    items: Sequence[Item]
    drafted: Mapping[tuple[str, str], Any] = field(default_factory=dict)
    earlier: Callable[[], Mapping[str, tuple[Settings, Sequence[Row]]]] = dict
    picture: Callable[[str], bytes] = _no_picture


@dataclass(frozen=True, slots=True)
class Method:
    """A built-in one that needs no model. `start` prepares once and gives the function that answers an item
    with a JSON value; what it raises as CasespanError is the answer's error. `about` says what it does, and
    behind a semicolon what it goes by, which in a form is its help."""

    id: str
    about: str
    start: Callable[[Job], Callable[[Item, Again], Any]]
    tasks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ask:
    """How a model is asked. `prompt` is the question in words with the form of its reply; `value` makes the
    answer of what the reply says (one reading, or one for each of `questions`), for keys that were shuffled.

    `version` changes with the words; of several `questions` about an item each is a call of its own. `more`
    is what else a list of prompts says of one. `reply_tokens` may differ by item. A run does not begin
    while one of its drafts has no value that is `needed`; where `pictures` are shown, not with a model that
    cannot see. `usual` is what `Again` leaves unsaid, and
    `replayed` the reply of a recorded line as one to the prompt as it is worded now.
    """

    prompt: Callable[[Item, Again, str], Prompt]
    version: str = "1"
    reply_tokens: int | Callable[[Item], int] = 512
    questions: Callable[[Item], Sequence[str]] = lambda item: (item.task,)
    value: Callable[[Item, Again, Mapping[str, Any]], Any] = lambda _, again, read: next(iter(read.values()))
    more: Callable[[Item, Again, str], Mapping[str, Any]] = lambda item, again, question: {}
    needed: bool = False
    pictures: bool = False
    usual: Again = field(default_factory=dict)
    replayed: Callable[[Item, Again, Mapping[str, Any]], str | None] = lambda _, __, line: line.get("reply")


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the paper by its number, made of one's own runs; None where it has nothing to show."""

    number: str
    title: str
    make: Callable[[Scores], DrawnTable[Any] | None]


@dataclass(frozen=True, slots=True)
class Beside:
    """What a window shows beside an item: a table with `heads` and rows of words, and the `source` that its
    licence wants named."""

    title: str
    heads: tuple[str, ...]
    rows: Sequence[Sequence[str]]
    source: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of the paper by its number, made of one's own runs; None where it has nothing to show."""

    number: str
    title: str
    make: Callable[[Scores], Picture | None]


@dataclass(frozen=True, slots=True)
class Rubric:
    """What raters and judges say of an answer: id -> values of the scale, what a criterion means, and the
    score that values make (None where one is missing). `prompt` asks a judge, for one criterion or all.
    `names` of criteria are for people; others are called by their id.

    Where there are `questions` a judge is asked each of these instead, in a call of its own, for a value of
    the first criterion's scale (or one of `words` for it); `combine` makes the scores of what he said.
    """

    id: str
    criteria: Mapping[str, Sequence[Any]]
    about: Mapping[str, str]
    score: Callable[[Mapping[str, Any]], float | None]
    prompt: Callable[[Item, Row, Sequence[str]], tuple[str, str]] | None = None
    questions: tuple[str, ...] = ()
    words: Mapping[str, Any] = field(default_factory=dict)
    combine: Callable[[Row, Mapping[str, Any]], Mapping[str, Any]] = lambda row, said: said
    names: Mapping[str, str] = field(default_factory=dict)

    def called(self, criterion: str) -> str:
        """A criterion as people read it."""
        return self.names.get(criterion) or as_label(criterion)


@dataclass(frozen=True, slots=True)
class Study:
    """A benchmark. What it `needs` is a sentence for people; `example` follows PROJECT STUDY in `build`.

    `build` makes the items. `times` says how often, and with what apart, an item is asked; `ask` how a model
    is asked, by the settings of a run; `person` what a person is asked next about an item ({} in the first
    round), None where nothing more; `form` is that of an answer. `grade` looks at all answers of a run and
    gives, one for one, what measures and `study answers` know of each ("scores", "matched"), None where these
    scores are not about the item. Intervals are over what `cluster` tells apart. `pair` compares the answers
    that two runs have in common, beyond the difference of each measure; `details` (its "notes" in sentences)
    and `caveats` say more of a run.

    `choose` narrows the items that a run with these settings asks; no answer to those that people `rejected`
    (TASK/ID) counts. `listed` is what a list of items says of some beside, by id; `finish` completes the
    scores as JSON by what no measure can say. Answers are judged by `rubric`, items themselves are checked by
    `item_rubric`. `lacks` says what is not on this computer yet, a sentence each; `guard` names the licence
    of what a model is shown in a build. An own option that is called as one of every study takes its place.
    Settings of a run and of its scoring also have the "arm", the "seed", and as "built" the details of the
    last build.

    Before a run answers, `prepare` makes what takes its time, and `drafts` are what the model itself is to
    write for the questions of the run, with how it is asked. What `learn` makes of the rated answers of all
    runs is among the settings of `grade`, as "learned". Scores are told apart by the labels of
    `by` unasked, for pages and pictures by those of `page_by`. `lead` says in a few sentences on top of a
    page what came out, `line` where bars are compared with what a guesser gets. An answer is unscored without
    a value, and where `ratings_are_scores` without a whole rating. A person is asked first which of the
    `groups` (a label) to sit in, where there is one; `called` is what people read for the value of a
    label, of "task" and of "arm". `item_words` is an item, (heading, words) each, `evidence` what its answer
    rests on, `allowed` which answers count, as a person reads it. `fault` says in a sentence why an item
    cannot be asked. The ids that a build's details name as "sample" are for people to look at: `build` takes
    what they say, rows of item, task, verdict, question, answer and reason, as its setting "verified".
    `beside` is the one view of its own that a study may have of an item and its answer, given what the last
    build said; the last argument is whether the right answer may be seen. `short` says the value of an answer
    in few words.
    """

    id: str
    title: str
    about: str
    needs: str
    example: str
    tasks: tuple[str, ...]
    build: Callable[[Building], Generator[Progress, None, Built]]
    measures: tuple[Measure, ...]
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    lead: Callable[[Scores], Sequence[str]] = lambda scores: ()
    page_by: tuple[str, ...] = ()
    groups: str = ""
    called: Callable[[str, str], str] = lambda label, value: value
    line: Callable[[RunScores], float | None] = lambda own: None
    item_words: Callable[[Item], Iterable[tuple[str, str]]] | None = None
    evidence: Callable[[Item], Iterable[tuple[str, str]]] | None = None
    allowed: Callable[[Settings], Sequence[tuple[str, str]]] = lambda settings: ()
    options: tuple[Option, ...] = ()
    methods: tuple[Method, ...] = ()
    arms: tuple[str, ...] = ()
    ask: Callable[[Job], Ask] | None = None
    form: Callable[[Item], Form] | None = None
    times: Callable[[Item, Settings], Sequence[Again]] = lambda item, settings: ({},)
    person: Callable[[Item, Sequence[Row], Settings], Again | None] = lambda item, given, settings: (
        None if given else {}
    )
    grade: Callable[[Sequence[Row], Settings], Sequence[Mapping[str, Any] | None]] = lambda *_: ()
    cluster: Callable[[Item], str] = lambda item: item.id
    pair: Callable[[Sequence[tuple[Row, Row]]], Mapping[str, Any]] = lambda rows: {}
    rubric: Callable[[Item], Rubric | None] = lambda item: None
    item_rubric: Callable[[Item], Rubric | None] = lambda item: None
    details: Callable[[Job, Sequence[Row]], Mapping[str, Any]] = lambda job, rows: {}
    caveats: Callable[[Scores], Iterable[str]] = lambda scores: ()
    choose: Callable[[Sequence[Item], Settings], Sequence[Item]] = lambda items, settings: items
    rejected: Callable[[Settings], Collection[str]] = lambda settings: ()
    listed: Callable[[Sequence[Item], Settings], Mapping[str, Mapping[str, Any]]] = lambda items, settings: {}
    finish: Callable[[dict[str, Any], Scores], dict[str, Any]] = lambda said, scores: said
    lacks: Callable[[], Sequence[str]] = tuple
    builds_with_model: bool = False
    guard: str = ""
    prepare: Callable[[Job], Generator[Progress, None, None]] | None = None
    drafts: Callable[[Job], tuple[Sequence[Item], Ask]] | None = None
    learn: Callable[[Sequence[Row]], Any] | None = None
    by: tuple[str, ...] = ()
    ratings_are_scores: bool = False
    fault: Callable[[Item], str] = lambda item: ""
    beside: Callable[[Item, Row | None, Mapping[str, Any], bool], Beside | None] | None = None
    short: Callable[[Any], str] | None = None

    @property
    def needed(self) -> str:
        """What it needs, as a sentence of its own."""
        return f"It needs {self.needs[:1].lower()}{self.needs[1:]}"

    def method(self, name: str) -> Method | None:
        """The built-in method of that id, if any."""
        return next((one for one in self.methods if one.id == name), None)

    def options_of(self, action: Action) -> tuple[Option, ...]:
        return tuple(one for one in self.options if action in one.of)
