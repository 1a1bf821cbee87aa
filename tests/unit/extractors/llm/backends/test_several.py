"""Several servers as one."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator
from contextlib import nullcontext

import pytest

from extractors.llm.backends import Access, backend
from extractors.llm.backends.exchange import Piece, ServerExchange
from extractors.llm.backends.ollama import OllamaClient
from extractors.llm.backends.several import SeveralServers
from extractors.llm.types import Exchange, LoadedModel, ModelCard, Outcome, Request, Subject
from extractors.model.errors import CallError
from extractors.tasks.base import Prompt
from extractors.tasks.forms import Text
from tests.scripted_behaviours import fails, replies
from tests.scripted_ollama import ScriptedOllama
from tests.unit.extractors.llm.backends.asking import outcome


@pytest.fixture
def servers() -> SeveralServers:
    clients = [backend("openai").connect(f"http://127.0.0.1:{port}/v1", Access()) for port in (1, 2)]
    return SeveralServers(clients, 2, 1.0)


def about(report: str) -> Request:
    return Request("m", Prompt("", "", Text(), 0), {}, subject=Subject(report, ("CVS",)))


def test_together_servers_can_do_what_each_of_them_can(servers: SeveralServers) -> None:
    assert servers.capabilities.probabilities
    other = OllamaClient("http://127.0.0.1:3")
    mixed = SeveralServers([backend("openai").connect("http://127.0.0.1:1/v1", Access()), other], 2, 1.0)
    assert not mixed.capabilities.probabilities


def test_a_call_goes_to_the_server_that_had_its_report_and_else_to_the_one_with_least(
    servers: SeveralServers,
) -> None:
    first, other = servers.place(about("A"), ()), servers.place(about("B"), ())
    assert first is not None
    assert other is not None
    assert first is not other
    for one in (first, other):
        one.flying = 0
    assert servers.place(about("B"), ()) is other
    assert servers.place(about("A"), ()) is first
    assert servers.place(about("A"), [first]) is other


def test_a_server_is_left_after_three_failures_in_a_row_and_not_for_failing_now_and_then() -> None:
    failed = fails(500, "crashed")
    with ScriptedOllama(failed, failed, replies(), failed, failed, replies(), *[failed] * 3) as server:
        several = SeveralServers([OllamaClient(server.host)], 1, 20.0)
        ended = [bool(outcome(several).error) for _ in range(8)]
        assert (ended, several.left) == ([True, True, False] * 2 + [True] * 2, {})
        assert outcome(several).fatal
    assert [*several.left] == [several.where]


def test_another_machine_that_one_piece_names_is_the_source_of_the_whole_reply() -> None:
    async def told() -> AsyncGenerator[Piece | Outcome, None]:
        for piece in (Piece("a", remote="elsewhere"), Piece("b"), Outcome(done_reason="stop")):
            yield piece

    with ServerExchange(told(), ("stop",), allow_remote=True) as exchange:
        ended = exchange.poll(20.0)
    assert ended is not None
    assert (ended.text, ended.remote) == ("ab", "elsewhere")


class Ended(Exchange):
    """A call that has ended."""

    tokens = 0

    def __init__(self, outcome: Outcome) -> None:
        self._outcome = outcome

    def poll(self, seconds: float) -> Outcome | None:
        return self._outcome

    def hang_up(self) -> None:
        pass

    def close(self) -> None:
        pass


@pytest.mark.parametrize("good", [False, True])
def test_a_server_that_cannot_load_the_model_is_left_where_another_can(
    servers: SeveralServers, good: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for one, error in zip(servers._servers, ("", "no memory") if good else ("no memory",) * 2, strict=True):
        ended = Ended(Outcome(error=error))
        monkeypatch.setattr(one.client, "load", lambda *_, ended=ended: ended)
    outcome = servers.load("m", {}).poll(1.0)
    assert outcome is not None
    # Where it is short everywhere, less is tried on all of them.
    assert (outcome.error, [*servers.left.values()]) == (("", ["no memory"]) if good else ("no memory", []))


def test_two_models_of_one_name_are_no_model_of_both(
    servers: SeveralServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    for other, refused in (("d1", False), ("", False), ("d2", True)):
        for one, digest in zip(servers._servers, ("d1", other), strict=True):
            monkeypatch.setattr(
                one.client, "card", lambda name, digest=digest: ModelCard(name, digest=digest)
            )
        with (
            pytest.raises(CallError, match="different models under the name m") if refused else nullcontext()
        ):
            assert servers.card("m").digest == "d1"


def test_the_context_of_a_model_is_one_that_all_servers_can_keep(
    servers: SeveralServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = [LoadedModel("m", 8192, 10, 10), LoadedModel("m", 2048, 10, 10)]
    for one, model in zip(servers._servers, loaded, strict=True):
        monkeypatch.setattr(one.client, "loaded_model", lambda _, model=model: model)
    assert servers.loaded_model("m") == loaded[1]
    # Where main memory holds it, that sets a limit.
    slow = LoadedModel("m", 16384, 10, 0)
    monkeypatch.setattr(servers._servers[1].client, "loaded_model", lambda _: slow)
    assert servers.loaded_model("m") == slow
    for one in servers._servers:
        monkeypatch.setattr(one.client, "loaded_model", lambda _: None)
    assert servers.loaded_model("m") is None


@pytest.mark.parametrize("kind", ["reply_only", "overflow"])
def test_what_no_other_server_would_answer_better_is_asked_of_one_and_is_none_of_its_failures(
    servers: SeveralServers, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    began = []

    def start(*_: object) -> Ended:
        began.append(Ended(Outcome(error="The prompt is too long.", **{kind: True})))  # type: ignore[arg-type]
        return began[-1]

    for one in servers._servers:
        monkeypatch.setattr(one.client, "start", start)
    for number in range(1, 5):
        ended = servers.start(about("A")).poll(0)
        assert (ended is began[-1].poll(0), len(began), servers.left) == (True, number, {})


class Talking(Ended):
    """A call that goes on; its tokens are what has come."""

    def __init__(self) -> None:
        super().__init__(Outcome())
        self.tokens = 0

    def poll(self, seconds: float) -> Outcome | None:
        return None


def test_only_silence_counts_however_long_an_answer_takes(
    servers: SeveralServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, began = [0.0], []
    monkeypatch.setattr(time, "monotonic", lambda: now[0])

    def start(*_: object) -> Talking:
        began.append(Talking())
        return began[-1]

    for one in servers._servers:
        monkeypatch.setattr(one.client, "start", start)
    call = servers.start(about("A"))
    for tokens in range(1, 5):
        now[0], began[0].tokens = now[0] + 0.9, tokens
        assert (call.poll(0), len(began)) == (None, 1)
    # A second without another one: the call is made elsewhere.
    now[0] += 1.1
    assert (call.poll(0), len(began), [*servers.left]) == (None, 2, ["http://127.0.0.1:1/v1"])
