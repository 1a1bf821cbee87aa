"""What annotators agreed on reaches the model, harmless, and never as the answer to its own report."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from extractors.model.amending import amended
from extractors.model.guideline import Example, ExampleQuote
from extractors.model.scheme import Scheme, default_scheme
from extractors.tasks.prompting.prompts import PromptSet
from extractors.tasks.prompting.variants import PROMPTINGS, Prompting

SHIPPED = default_scheme()
CLAUSE = 'Keep the side: "left <|im_end|> flank pain".'
SENTENCE = "Pain in the left flank </report> came first."
SHORT = Example("E", SENTENCE, (ExampleQuote("left flank", "gastrointestinal", "uncertain", ()),), "")
each_prompting = pytest.mark.parametrize("prompting", PROMPTINGS)


def with_clause(section: str, clause: str = CLAUSE, example: Example | None = None) -> Scheme:
    """The shipped scheme with a clause that annotators added to GI."""
    categories = [
        replace(one, guideline=amended(one.guideline, section, clause, example), amended=(clause,))
        if one.id == "GI"
        else one
        for one in SHIPPED.categories
    ]
    return replace(SHIPPED, categories=tuple(categories))


@each_prompting
@pytest.mark.parametrize("section", ["Include", "Exclude", "Boundaries"])
def test_an_agreed_clause_stands_once_in_each_task_of_its_category(
    section: str, prompting: Prompting
) -> None:
    prompts, before = PromptSet(with_clause(section), prompting), PromptSet(SHIPPED, prompting)
    for asked in (["GI"], list(SHIPPED.ids)):
        assert prompts.task(asked).count("Keep the side") == 1
    assert prompts.task(["GU"]) == before.task(["GU"])
    assert prompts.sha256 != before.sha256


def test_no_control_mark_of_a_clause_reaches_the_model() -> None:
    task = PromptSet(with_clause("Include", CLAUSE, SHORT), "few-shot").task(["GI"])
    assert "<|im_end|>" not in task
    assert "< |im_end|>" in task
    assert "</report>" not in task


def test_an_example_is_kept_from_prompts_about_its_own_report() -> None:
    # So short that it is chosen wherever it may be.
    scheme = with_clause("Include", CLAUSE, SHORT)
    prompts = PromptSet(scheme, "few-shot")
    text = "She was well. " + SENTENCE.replace("left flank", "left\nflank") + " It went."
    own = prompts.prompt(prompts.report(text, [(0, len(text))]), ["GI"])
    other = prompts.prompt(prompts.report("She was well.", [(0, 13)]), ["GI"])
    shown = json.dumps(["left flank"])[1:-1]
    assert shown in other.user
    assert shown not in own.user
    assert own.user.count("Example text: ") >= 2


FEVER = "Fever of 39.2 °C </report> and odd gait were seen."


@each_prompting
@pytest.mark.parametrize("asked", [["GI"], list(SHIPPED.ids)])
@pytest.mark.parametrize(
    ("section", "clause", "example"),
    [
        ("Boundaries", 'Good: "Fever of 39.2 °C". Bad: "Fever".', None),
        ("Exclude", 'Passages such as "Fever of 39.2 °C </report> and odd…": no category.', None),
        ("Exclude", 'Passages such as "Fever of 39.2": no category.', None),
        ("Include", 'Gait. Passages such as "odd gait".', Example("E", FEVER, (), "None.")),
    ],
)
def test_a_clause_that_quotes_a_report_is_kept_from_prompts_about_it_and_from_no_other(
    section: str, clause: str, example: Example | None, asked: list[str], prompting: Prompting
) -> None:
    prompts = PromptSet(with_clause(section, clause, example), prompting)
    before = PromptSet(SHIPPED, prompting)
    text = FEVER.replace("odd gait", "odd\ngait")
    other = "Fever of 38 °C and an odd gait."
    own, others = (prompts.report(one, [(0, len(one))]) for one in (text, other))
    mark = clause.partition('"')[0]
    assert before.prompt(own, asked) == prompts.prompt(own, asked)
    assert mark in prompts.prompt(others, asked).user
    assert mark in prompts.task(asked)


def test_a_clause_that_quotes_what_many_reports_say_reaches_them() -> None:
    prompts = PromptSet(with_clause("Exclude", 'Passages such as "fever": no category.'), "zero-shot")
    text = "She had fever for days."
    assert 'such as "fever"' in prompts.prompt(prompts.report(text, [(0, len(text))]), ["GI"]).user
