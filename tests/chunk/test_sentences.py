def test_whole_sentences_are_packed_up_to_the_size(cut):
    text = "One two three. Four five. Six. Seven eight nine ten."
    assert cut(text, "sentences:6/0") == [
        "One two three. Four five. Six.",
        "Seven eight nine ten.",
    ]


def test_no_chunk_starts_with_the_mark_of_the_sentence_before(cut):
    text = "The cock is open. The lamp is on. Is it full? Yes! Shut it. Note it."
    for size in range(1, 40):
        parts = cut(text, f"sentences:{size}/0:chars")
        words = [p for p in parts if len(p) > 1]
        assert not any(p[0] in ".?!" for p in words)
    assert cut(text, "sentences:20/0:chars") == [
        "The cock is open.",
        "The lamp is on.",
        "Is it full? Yes!",
        "Shut it. Note it.",
    ]


def test_the_same_sentence_twice_stands_at_two_places(chunks, build):
    text = "First part\n\nPull it. Wait ten days.\n\nSecond part\n\nPush it. Wait ten days."
    found = chunks(build(text), "sentences:15/0:chars")
    twice = [(c.start, c.end) for c in found if c.text == "Wait ten days."]
    first, second = text.index("Wait"), text.rindex("Wait")
    assert twice == [(first, first + 14), (second, second + 14)]


def test_repeated_text_gives_rising_starts_without_overlap(chunks, build):
    text = " ".join(["The lamp is lit."] * 25)
    found = chunks(build(text), "sentences:60/0:chars")
    assert all(a.end <= b.start for a, b in zip(found, found[1:], strict=False))
    assert [c.start for c in found] == [i * 17 for i in range(0, 25, 3)]
    assert found[-1].end == len(text)


def test_headings_list_items_rows_and_code_lines_count_as_sentences(build, cut):
    text = "# A b\n\n- c d\n- e f\n\n| g |\n|---|\n| h |\n\n```\ni\n```"
    assert cut(build(text), "sentences:4/0") == [
        "# A b",
        "- c d",
        "- e f",
        "| g |\n|---|",
        "| h |\n\n```",
        "i\n```",
    ]


def test_overlap_counts_whole_sentences(cut):
    text = "One two. Three four. Five six. Seven eight."
    assert cut(text, "sentences:6/2s") == [
        "One two. Three four. Five six.",
        "Three four. Five six. Seven eight.",
    ]


def test_a_sentence_that_is_too_long_is_cut_between_words(cut):
    assert cut("One two three four five.", "sentences:2/0") == ["One two", "three four", "five."]


def test_overlap_never_reaches_across_a_heading(build, cut):
    parsed = build("# A\n\nOne two three.\n\n# B\n\nFour five six.")
    assert cut(parsed, "sentences:7/5") == [
        "# A\n\nOne two three.\n\n# B",
        "# B\n\nFour five six.",
    ]
