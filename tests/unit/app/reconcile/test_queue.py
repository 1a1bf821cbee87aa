"""The queue lists what differs most, worst first."""

from __future__ import annotations

from app.reconcile.queue import QueueItem, build_queue


def item(key: str, tsr: float, quotes: int = 1) -> QueueItem:
    return QueueItem(key, "Title", "Neuro", tsr, ("quote",) * quotes, ())


def test_only_pairs_below_the_threshold_are_queued_worst_first() -> None:
    queue = build_queue([item("a", 29.9), item("b", 30.0), item("c", 0.0), item("d", 100.0)])
    assert [entry.key for entry in queue] == ["c", "a"]


def test_among_equals_more_quotes_come_first_and_then_the_given_order() -> None:
    queue = build_queue([item("a", 0.0), item("b", 0.0, 3), item("c", 0.0)])
    assert [entry.key for entry in queue] == ["b", "a", "c"]


def test_the_threshold_can_be_chosen() -> None:
    assert build_queue([item("a", 50.0)], below=60.0)
    assert not build_queue([item("a", 50.0)], below=50.0)
