"""What is asked of a language model and what comes back: plain data that every client shares."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol, Self

from extractors.tasks.base import Prompt

# Every option by which a server samples, because a model's own file sets what is not sent. Greedy, and
# without penalties: whoever is to copy long passages word for word must be allowed to repeat.
SAMPLING: Mapping[str, int | float] = {
    "temperature": 0.0,
    "top_k": 40,
    "top_p": 1.0,
    "min_p": 0.0,
    "typical_p": 1.0,
    "repeat_penalty": 1.0,
    "repeat_last_n": 0,
    "presence_penalty": 0.0,
    "frequency_penalty": 0.0,
}
KEEP_ALIVE = "30m"


@dataclass(frozen=True, slots=True)
class Request:
    """One call: `options` go to the server as they are (every sampler option, num_ctx, num_predict).

    `think` asks a model that can think to do so. `subject` says what the call is about, for clients that
    answer from a recording. `probabilities` asks for those of the reply's tokens, where the server gives
    them; `keep_alive` is how long the model is to stay in memory afterwards, as the server writes it.
    """

    model: str
    prompt: Prompt
    options: Mapping[str, int | float]
    think: bool = False
    subject: Subject | None = None
    probabilities: bool = False
    keep_alive: str = KEEP_ALIVE


@dataclass(frozen=True, slots=True)
class Subject:
    """Report (its key), questions asked of it, and which part of how many of the report is shown.

    `again` tells apart what is asked several times.
    """

    report: str
    asks: tuple[str, ...]
    part: int = 0
    parts: int = 1
    again: str = ""


@dataclass(frozen=True, slots=True)
class ShownPart:
    """Part `part` (from 0) of `parts` of a report, as recorded; spans are code points of its text."""

    part: int
    parts: int
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class TokenProbability:
    """A token of a reply as the model spells it, with its natural logarithm of probability."""

    token: str
    logarithm: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a call ended. `text` is the reply as far as it came, `thinking` what a thinking model thought.

    `done_reason` is the server's ("stop", "length", ...), "" where the stream ended without one. `error` is a
    sentence, "" where there was none; `fatal` where no further call can succeed (server gone, model missing);
    `overflow` where the server refused the prompt as too long; `reply_only` where the error is this reply's
    own (it ran in circles, it is empty, it was recorded like that) and says nothing of the calls to come.
    Token counts are the server's own, None where it said nothing; `prefill_seconds` is the time it took to
    read the prompt, the only trace of reuse. `remote` is the other machine that the reply came from, "" for
    none. `digest` is the model's after the reply, "" where the server does not say; `probabilities` are those
    of the reply's tokens, empty where they were not asked for or are not given.
    """

    text: str = ""
    thinking: str = ""
    done_reason: str = ""
    error: str = ""
    fatal: bool = False
    overflow: bool = False
    tokens_in: int | None = None
    tokens_out: int | None = None
    load_seconds: float | None = None
    prefill_seconds: float | None = None
    reply_seconds: float | None = None
    remote: str = ""
    reply_only: bool = False
    digest: str = ""
    probabilities: tuple[TokenProbability, ...] = ()


class Exchange(Protocol):
    """A call under way. Leaving its block ends the server's work at once."""

    @property
    def tokens(self) -> int:
        """Pieces of the reply that came so far, for showing progress."""

    def poll(self, seconds: float) -> Outcome | None:
        """Wait up to `seconds` for the end; None while the call goes on. Never raises for the call's sake."""

    def hang_up(self) -> None:
        """Begin to give the call up, without waiting until it is; no error where it has ended."""

    def close(self) -> None:
        """Give the call up; the server stops within a second. Closing twice is no error."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A model's tokens as its tokenizer spells them; `kind` is the tokenizer ("gpt2", "llama", ...)."""

    kind: str
    tokens: frozenset[str]
    control: frozenset[str]


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model in the server's memory: context really allocated in tokens, sizes in bytes.

    `vram` is what of its `size` a graphics card holds.
    """

    name: str
    context: int = 0
    size: int = 0
    vram: int = 0

    @property
    def on_gpu(self) -> bool:
        """Whether all of it is in a graphics card's memory, so that main memory sets it no limit."""
        return 0 < self.size <= self.vram


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """A model as a server lists it; sizes in bytes, 0 or "" where the server does not say.

    `context` is the longest context the model was trained for, `cache_bytes` what one token of context takes
    in memory. `remote` names the machine that a cloud-backed model runs on, `loaded` how it is in memory.
    """

    name: str
    digest: str = ""
    size: int = 0
    family: str = ""
    parameters: str = ""
    quantisation: str = ""
    context: int = 0
    cache_bytes: int = 0
    remote: str = ""
    loaded: LoadedModel | None = None


@dataclass(frozen=True, slots=True)
class ModelCard(ModelEntry):
    """A model as its server describes it. `vocabulary` is None where the server keeps it to itself, `sight`
    the family by which it looks at pictures, where that is not its own."""

    capabilities: tuple[str, ...] = ()
    server: str = ""
    sight: str = ""
    vocabulary: Vocabulary | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class PullProgress:
    """How far a model's download is; bytes, 0 where the step has none."""

    status: str
    completed: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a server can do, as far as is known; the program asks for these and never for a server's name.

    `sets_context`: calls say how long their context is. `fetches`: it can fetch a model by its name.
    `schema`: by which field of a call replies are held to a schema, "" for none. `probabilities`: it gives
    those of a reply's tokens. `parallel`: how many calls it works on at once, 0 where it does not say;
    `within_report`: calls about one report gain by being among them, since what they share is read once.
    """

    sets_context: bool = False
    fetches: bool = False
    schema: str = ""
    probabilities: bool = False
    parallel: int = 0
    within_report: bool = False


class Client(Protocol):
    """Where answers come from; what most of them have nothing to say of is said here."""

    @property
    def label(self) -> str:
        """The kind of server, as people call it."""

    @property
    def where(self) -> str:
        """What a record calls it: the server's address, or the recording's file name."""

    @property
    def about(self) -> str:
        """A sentence that must stand wherever the answers are shown, "" for a model's own."""
        return ""

    @property
    def recorded(self) -> frozenset[str]:
        """The questions that there are replies to, where these are recorded."""
        return frozenset()

    @property
    def remote(self) -> str:
        """The other machine that the text goes to, "" while it stays on this one."""
        return ""

    @property
    def capabilities(self) -> Capabilities:
        """What the server can do, as far as it has been found out: more after `card` and `load`."""

    def version(self) -> str:
        """The server's version, "" where it has none to tell; raises ServerError."""

    def models(self) -> tuple[ModelEntry, ...]:
        """The models there are, in the server's order; raises ServerError."""

    def pull(self, model: str) -> Iterator[PullProgress]:
        """Have the server fetch a model; ends only where it is there. Closing the iterator gives it up.

        Raises CallError where the server cannot, ModelNotFoundError, RemoteRefusedError, ServerError.
        """

    def card(self, model: str) -> ModelCard:
        """The model's description; raises ModelNotFoundError, ServerError or RemoteRefusedError."""

    def loaded_model(self, model: str) -> LoadedModel | None:
        """How the server holds the model in memory; None where it does not, or does not say."""
        return None

    def shown_parts(self, report: str, asks: tuple[str, ...]) -> tuple[ShownPart, ...]:
        """In which parts the answers of a recording were given, () where the plan decides."""
        return ()

    def load(self, model: str, options: Mapping[str, int | float], keep_alive: str = KEEP_ALIVE) -> Exchange:
        """Have the model loaded with these options; the outcome's done_reason is "load" where that worked."""

    def start(self, request: Request, wake: Callable[[], None] | None = None) -> Exchange:
        """Begin a call and return at once; whatever goes wrong is in the outcome.

        `wake` is called, on any thread, as soon as there is one.
        """
