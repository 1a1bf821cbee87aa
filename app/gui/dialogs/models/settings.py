"""How a model is asked: strategy, way of prompting, and what hardly anybody changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.gui.dialogs.fields import ASK, Ask, asked, choice, decimal, number, tick
from app.operations.extract.options import ModelOptions

if TYPE_CHECKING:
    from extractors.tasks.prompting.variants import Prompting, Strategy

STRATEGIES = {
    "ucp": "A prompt for each category, on the whole report (UCP): the most thorough.",
    "fcsp": "A prompt for each category, on the sections that speak of it (FCSP): shorter prompts; what "
    "stands elsewhere is not seen.",
    "ugp": "One prompt for all categories, on the whole report (UGP): the fewest calls, the longest replies.",
}
PROMPTINGS = {
    "few-shot": "With examples: the guideline and its worked examples.",
    "zero-shot": "Without examples: the guideline alone.",
    "zero-shot-cot": "With reasoning: the guideline alone, and the model reasons in writing before it "
    "answers; slower.",
}


def _explained(label: str, sentences: Mapping[str, str]) -> Ask:
    """A choice whose entries are the part before the colon; the rest of the sentence stands below."""
    entries = {key: sentence.partition(": ") for key, sentence in sentences.items()}
    below = {key: rest[:1].upper() + rest[1:] for key, (_, _, rest) in entries.items()}
    return Ask(choice, label, choices=[(one[0], key) for key, one in entries.items()], below=below)


def _tokens(label: str, name: str, nothing: str) -> int | None:
    """A number of tokens, without which the program chooses."""
    ask = Ask(number, label, name, nothing=nothing, least=128, most=10_000_000, step=1024, advanced=True)
    return asked(None, ask)


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Everything that a call to a model may be told, with the program's defaults."""

    strategy: Strategy = field(default="ucp", metadata={ASK: _explained("Strate&gy:", STRATEGIES)})
    prompting: Prompting = field(default="few-shot", metadata={ASK: _explained("Prompt&ing:", PROMPTINGS)})
    seed: int = asked(1, Ask(number, "S&eed:", advanced=True))
    context: int | None = _tokens("Co&ntext, tokens:", "Context in tokens", "as needed")
    reply_tokens: int | None = _tokens("Longest repl&y, tokens:", "Longest reply in tokens", "by strategy")
    temperature: float = asked(0.0, Ask(decimal, "Temperat&ure:", most=2, step=0.1, advanced=True))
    parallel: int = asked(
        1,
        Ask(
            number,
            "Calls at once:",
            least=1,
            most=64,
            help="About different reports, as many as the server can work on.",
            advanced=True,
        ),
    )
    inferred: bool = asked(
        False, Ask(tick, "For FCSP, tell also paragraphs apart by what they speak about", advanced=True)
    )
    think: bool = asked(False, Ask(tick, "Let a model that can thin&k do so first", advanced=True))
    new_run: bool = asked(
        False, Ask(tick, "&Begin a new run even if there is one with the same settings", advanced=True)
    )

    def options(
        self, model: str, documents: tuple[str, ...] = (), categories: tuple[str, ...] = ()
    ) -> ModelOptions:
        """What is asked of that model, about these reports (keys) and categories (ids)."""
        return ModelOptions(
            model=model,
            strategy=self.strategy,
            prompting=self.prompting,
            documents=documents,
            categories=categories,
            seed=self.seed,
            think=self.think,
            new_run=self.new_run,
            context=self.context,
            reply_tokens=self.reply_tokens,
            temperature=self.temperature,
            parallel=self.parallel,
            sections="inferred" if self.inferred else "headings",
        )
