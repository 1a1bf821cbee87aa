"""Agreement of boxes on pictures."""

from app.agreement.regions import Box, match_boxes, overlap

_ON = ("report", "picture")
_BOX: Box = (10, 10, 20, 20)


def test_of_boxes_that_overlap_alike_those_of_the_same_category_are_a_pair() -> None:
    left = [(_ON, _BOX, "history"), (_ON, _BOX, "imaging")]
    right = [(_ON, _BOX, "imaging"), (_ON, _BOX, "history")]
    score = match_boxes(left, right)
    assert (score.pairs, score.f1, score.mean_iou, score.same_category) == (2, 1.0, 1.0, 1.0)


def test_the_pair_that_overlaps_most_is_made_first_and_each_box_is_in_one() -> None:
    near = (_ON, (10, 10, 20, 10), "history")
    score = match_boxes([(_ON, _BOX, "history")], [near, (_ON, _BOX, "imaging")])
    assert (score.left, score.right, score.pairs, score.mean_iou, score.same_category) == (1, 2, 1, 1.0, 0.0)
    assert score.f1 == 2 / 3
    assert match_boxes([near, (_ON, _BOX, "imaging")], [(_ON, _BOX, "history")]).pairs == 1


def test_a_box_at_the_threshold_counts_and_boxes_that_touch_or_lie_on_other_pictures_share_nothing() -> None:
    half = (10, 10, 20, 10)
    assert overlap(_BOX, half) == 0.5
    assert match_boxes([(_ON, _BOX, "history")], [(_ON, half, "history")], 0.5).pairs == 1
    assert match_boxes([(_ON, _BOX, "history")], [(("report", "other"), _BOX, "history")]).pairs == 0
    assert overlap(_BOX, (30, 10, 20, 20)) == 0.0
    assert match_boxes([(_ON, _BOX, "a")], [(_ON, (30, 10, 20, 20), "a")], 0.0).f1 == 0.0


def test_where_nobody_drew_a_box_there_is_nothing_to_divide_by() -> None:
    score = match_boxes([], [])
    assert (score.f1, score.mean_iou, score.same_category) == (None, None, None)
    alone = match_boxes([(_ON, _BOX, "a")], [])
    assert (alone.left, alone.right, alone.f1, alone.mean_iou) == (1, 0, 0.0, None)


def test_of_boxes_apart_each_goes_with_its_nearest_and_overlap_is_by_area() -> None:
    assert overlap(_BOX, (15, 20, 20, 30)) == overlap((15, 20, 20, 30), _BOX) == 150 / (400 + 600 - 150)
    assert overlap(_BOX, (40, 40, 5, 5)) == 0.0
    left = [(_ON, (0, 0, 10, 10), "a"), (_ON, (100, 0, 10, 10), "b")]
    right = [(_ON, (100, 0, 10, 8), "a"), (_ON, (0, 0, 10, 10), "a"), (_ON, (0, 0, 10, 6), "a")]
    score = match_boxes(left, right)
    assert (score.pairs, score.f1, score.mean_iou, score.same_category) == (2, 4 / 5, 0.9, 0.5)
