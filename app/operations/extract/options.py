"""What a run with a language model is asked to do, and what it did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar, cast

from extractors.llm.types import KEEP_ALIVE, SAMPLING, Client, ModelCard
from extractors.tasks import QUOTES
from extractors.tasks.prompting.variants import Prompting, SectionsBy, Strategy

if TYPE_CHECKING:
    from app.store.extract.runs import GenerationState, Run
    from extractors.model.finding import GroundingStatus

Number = TypeVar("Number", int, float)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """How a model is asked, whatever it is asked; `documents` are those asked about, all where empty.

    `resume` repeats failed calls, and cut ones where `reply_tokens` now allows more; `new_run` begins another
    run although there is one with the same settings. `context` and `reply_tokens` (both in tokens) are chosen
    by the program where they are None. `parallel` calls are in flight at once, about different reports.
    `keep_alive` is how long the model stays in memory, `gpu_layers` how much of it a graphics card is given
    and `threads` how many processor cores it may use, both as the server decides where they are None. After
    `calls` calls, or when `minutes` are over, no other is begun. `permitted` are machines to which data under
    a licence may be sent. `sure` asks for the probabilities of replies' tokens where the server gives them.
    """

    model: str
    documents: tuple[str, ...] = ()
    seed: int = 1
    think: bool = False
    resume: bool = False
    new_run: bool = False
    context: int | None = None
    reply_tokens: int | None = None
    temperature: float = 0.0
    parallel: int = 1
    keep_alive: str = KEEP_ALIVE
    gpu_layers: int | None = None
    threads: int | None = None
    calls: int | None = None
    minutes: float | None = None
    permitted: tuple[str, ...] = ()
    sure: bool = False

    def sampling(self) -> dict[str, int | float]:
        """Every sampler option that is sent, the seed among them."""
        return {**SAMPLING, "temperature": self.temperature, "seed": self.seed}

    def machine(self) -> dict[str, int]:
        """What is sent of how the model is to be run, as the server calls it; it changes no answer."""
        named = {"num_gpu": self.gpu_layers, "num_thread": self.threads}
        return {name: value for name, value in named.items() if value is not None}


@dataclass(frozen=True, slots=True)
class ModelOptions(RunOptions):
    """What extraction is asked beside; `categories` are those asked for, all where empty.

    `sections` says whether "fcsp" goes by headings alone or also by what paragraphs are inferred to speak of.
    """

    model: str
    strategy: Strategy
    prompting: Prompting
    categories: tuple[str, ...] = field(default=(), kw_only=True)
    sections: SectionsBy = field(default="headings", kw_only=True)

    def varied(self, variant: str) -> ModelOptions:
        """The same, asked in another of the ways that the task has (`QuotesTask.variants`)."""
        strategy, prompting = variant.split("/")
        return replace(self, strategy=cast(Strategy, strategy), prompting=cast(Prompting, prompting))

    @property
    def sections_by(self) -> SectionsBy:
        """By what "fcsp" tells sections apart; the other strategies show the whole report."""
        return self.sections if self.strategy == "fcsp" else "headings"


# What tells runs of a model apart, whatever they ask, and what tells those of extraction apart beside.
_ASKED_ALIKE = ("model", "digest", "options", "context", "think", "remote", "about", "task")
_OF_QUOTES = ("strategy", "prompting", "prompts_sha256", "categories", "sections")
IDENTITY = (*_ASKED_ALIKE, *_OF_QUOTES)
# What a run of an older program meant without writing it down.
_UNSTATED = {"sections": "headings", "task": QUOTES}


def setting(settings: Mapping[str, Any], key: str) -> object:
    """A setting of a recorded run, as it was meant."""
    return settings.get(key, _UNSTATED.get(key))


def is_extraction(run: Run) -> bool:
    """Whether a run of a model was asked for quotes, so that annotations are what it made."""
    return run.kind == "model" and setting(run.settings, "task") == QUOTES


def identity_of_quotes(options: ModelOptions, prompts_sha256: str, wanted: tuple[str, ...]) -> dict[str, Any]:
    """What makes two runs of extraction the same, beside model and options.

    Which categories are `wanted` counts only where one prompt asks for all of them.
    """
    return {
        "strategy": options.strategy,
        "prompting": options.prompting,
        "prompts_sha256": prompts_sha256,
        "categories": list(wanted) if options.strategy == "ugp" else [],
        "sections": options.sections_by,
    }


def identity(
    options: RunOptions, card: ModelCard, client: Client, task: str, of_task: Mapping[str, Any]
) -> dict[str, Any]:
    """What makes two runs the same: equal model, task, prompts, options and machine, on whichever reports.

    `of_task` is what tells runs of the task apart beside.
    """
    return {
        "model": card.name,
        "digest": card.digest,
        "options": options.sampling(),
        "context": options.context,
        "think": options.think,
        "remote": client.remote or card.remote,
        "about": client.about,
        "task": task,
        **of_task,
    }


@dataclass(frozen=True, slots=True)
class Trouble:
    """One thing that went wrong in a report (its key), in a category ("" for all), in a sentence."""

    report: str
    category: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Unplaced:
    """A quote that is kept but has no place in its report, with the reason."""

    report: str
    category: str
    quote: str
    status: GroundingStatus
    reason: str


@dataclass(slots=True)
class ModelSummary:
    """What a run did.

    `calls`: how many of the calls that the reports need stand in which state; those in no state are
    `missing`. `made` calls were made this time. `unasked` pairs of report and category
    have no section to show. `findings` by report key and `groundings` by status are over
    the reports asked for, as are the `unplaced` quotes. `incomplete` reports: anything was cut, failed or is
    missing there; `troubles` say what. `tokens_in`, `tokens_out` and the seconds are sums over the calls as
    far as the server counted, None where it counted nothing. `prompt_tokens` and `shared_tokens` are
    estimates: how long the prompts are, and how much of each was the same as in the call before. `stopped`
    says why the run ended early, "" if it did not.
    """

    annotator: str
    about: str = ""
    planned: int = 0
    unasked: int = 0
    made: int = 0
    calls: Counter[GenerationState] = field(default_factory=Counter)
    findings: dict[str, int] = field(default_factory=dict)
    groundings: Counter[GroundingStatus] = field(default_factory=Counter)
    unplaced: list[Unplaced] = field(default_factory=list)
    nothing_found: int = 0
    incomplete: list[str] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    tokens_in: int | None = None
    tokens_out: int | None = None
    seconds: float | None = None
    prefill_seconds: float | None = None
    prompt_tokens: int = 0
    shared_tokens: int = 0
    stopped: str = ""

    @property
    def missing(self) -> int:
        """Calls that were never answered, or given up under way."""
        return self.planned - self.calls["done"] - self.calls["incomplete"] - self.calls["failed"]

    @property
    def shared(self) -> float | None:
        """Share (0-1) of the prompts' tokens that stood in the call before; None without any."""
        return self.shared_tokens / self.prompt_tokens if self.prompt_tokens else None

    @property
    def whole(self) -> bool:
        """Whether every call was answered in full."""
        return self.calls["done"] == self.planned and not self.stopped


def total(numbers: Iterable[Number | None]) -> Number | None:
    """The sum of what was counted; None where nothing was."""
    known = [number for number in numbers if number is not None]
    return sum(known[1:], known[0]) if known else None
