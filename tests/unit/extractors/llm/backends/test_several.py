"""Several servers as one."""

from __future__ import annotations

import pytest

from extractors.llm.backends import Access, backend
from extractors.llm.backends.several import SeveralServers
from extractors.llm.types import Request, Subject
from extractors.tasks.base import Prompt
from extractors.tasks.forms import Text


@pytest.fixture
def servers() -> SeveralServers:
    clients = [backend("openai").connect(f"http://127.0.0.1:{port}/v1", Access()) for port in (1, 2)]
    return SeveralServers(clients, 2, 1.0)


def about(report: str) -> Request:
    return Request("m", Prompt("", "", Text(), 0), {}, subject=Subject(report, ("CVS",)))


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
