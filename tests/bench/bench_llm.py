"""How much of each prompt the call before begins with, and what a run costs beside the model's own time."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from extractors.llm.schedule import Call, Plan, plan
from extractors.llm.tokens import TokenCounter
from extractors.llm.types import ModelCard
from extractors.model.document import Document
from extractors.model.finding import Finding, Grounding
from extractors.model.scheme import Scheme, default_scheme
from extractors.rules import PolarityReader
from extractors.tasks.findings import ReportReader
from extractors.tasks.prompting.prompts import PromptSet
from extractors.tasks.prompting.variants import PROMPTINGS
from extractors.tasks.quotes import QuotesTask
from extractors.tasks.replies import ReplyForm, parse_reply
from tests.bench.bench_grounding import FUNCTION_WORD, PARAPHRASED
from tests.bench.measure import Measure, best_seconds
from tests.bench.samples import DEMO, sample_reports

WORDS = 3000
TOKENS_PER_SECOND = 50
CARD = ModelCard("any", context=131072)
SHARED_LIMIT, WITH_FIRST_LIMIT = 0.15, 0.2


def measures() -> list[Measure]:
    """Tokens by the rule without a vocabulary; the report in the middle of a run.

    The prompts that follow another on the same report are measured, and all of the report's prompts, the
    first of which shares only the rules with the report before.
    """
    scheme = default_scheme()
    report, gold = _long_report(scheme)
    return [*_unshared(report, scheme), _overhead(report, gold, scheme)]


def _unshared(report: Document, scheme: Scheme) -> list[Measure]:
    found = []
    for prompting in PROMPTINGS:
        reports = [sample_reports()[-1].document, report]
        planned = _plan(reports, QuotesTask(scheme, "ucp", prompting, scheme.ids), TokenCounter(None))
        calls = [call for call in planned.calls if call.report == 1]
        name, what = f"UCP {prompting}, not shared", "all tokens of the prompts"
        found.append(Measure(name, _share(calls[1:]), SHARED_LIMIT, what))
        found.append(Measure(f"{name} (with first)", _share(calls), WITH_FIRST_LIMIT, what))
    return found


def _share(calls: Sequence[Call]) -> float:
    return 1 - sum(call.shared for call in calls) / sum(call.tokens for call in calls)


def _overhead(report: Document, gold: dict[str, list[str]], scheme: Scheme) -> Measure:
    """The whole of our own work, from the templates and cue words on, to the time of the replies alone."""
    prompts, counter = PromptSet(scheme, "zero-shot"), TokenCounter(None)
    replies = {name: _reply(gold[name], prompts.form((name,))) for name in scheme.ids}
    seconds = sum(counter.count(reply) for reply in replies.values()) / TOKENS_PER_SECOND

    def run() -> list[list[tuple[Finding, Grounding]]]:
        task = QuotesTask(scheme, "ucp", "zero-shot", scheme.ids)
        asked = task.prompts
        calls = _plan([report], task, TokenCounter(None)).calls
        reader = ReportReader(report, PolarityReader())
        return [
            reader.place_quotes(
                [
                    (
                        parse_reply(replies[call.item.asks[0]], asked.form(call.item.asks)).quotes,
                        call.item.spans,
                    )
                ]
            )
            for call in calls
        ]

    assert sum(map(len, run())) > len(scheme.ids)
    ratio = best_seconds(run, 3) / seconds
    return Measure("schedule, parse, ground", ratio, 0.02, f"the replies at {TOKENS_PER_SECOND} tokens/s")


def _plan(reports: Sequence[Document], task: QuotesTask, counter: TokenCounter) -> Plan:
    return plan(reports, task, counter, CARD, memory=None)


def _long_report(scheme: Scheme) -> tuple[Document, dict[str, list[str]]]:
    """Samples joined up to 3,000 words, and their gold quotes by category, every fourth shortened."""
    gold = {
        entry["title"]: entry for entry in json.loads((DEMO / "annotations/gold.json").read_text("utf-8"))
    }
    joined = Document("Joined samples", "", ())
    quotes: dict[str, list[str]] = {name: [] for name in scheme.ids}
    for record in sample_reports():
        if len(joined.text.split()) >= WORDS:
            break
        document, start = record.document, len(joined.text)
        sections = (replace(one, start=one.start + start, end=one.end + start) for one in document.sections)
        joined = replace(
            joined, text=f"{joined.text}{document.text}\n\n", sections=(*joined.sections, *sections)
        )
        for name in scheme.ids:
            quotes[name] += gold[document.title].get(name, ())
    return joined, {
        name: [_said(place, one) for place, one in enumerate(all_)] for name, all_ in quotes.items()
    }


def _said(place: int, quote: str) -> str:
    return FUNCTION_WORD.sub("", quote) if place % PARAPHRASED == 0 else quote


def _reply(quotes: Sequence[str], form: ReplyForm) -> str:
    """The quotes under the form's keys in turn."""
    keys = list(form.lists)
    return json.dumps({key: quotes[place :: len(keys)] for place, key in enumerate(keys)}, ensure_ascii=False)
