"""ringwall apply: what is left out, and what has to stay with it."""

import os

from test_apply import review, reviews, tree  # noqa: F401


def test_an_old_name_stays_as_long_as_its_new_one_is_left_out(place, ringwall, review):  # noqa: F811
    (place.work / "ci").mkdir()
    before = {"ci/Makefile": "all:\n", "package.json": '{"scripts": {"a": "b"}}', "Dockerfile": "FROM x\n"}
    for name, text in before.items():
        (place.work / name).write_text(text)
    review("mkdir app; mv ci/Makefile .; mv package.json Dockerfile app/; rmdir ci; mv b.txt app/; echo more >>a.txt")
    said = ringwall("apply", "r1").ok()
    assert "took over 1 changed, 1 renamed\n" in said
    assert "Dockerfile: its new name is left out: app/Dockerfile" in said
    assert {name: (place.work / name).read_text() for name in before} == before
    # With the new names they go.
    ringwall("apply", "r1", "--", "Makefile", "app/package.json", "app/Dockerfile").ok()
    ringwall("apply", "r1").ok()
    assert sorted(tree(place.work)) == ["Makefile", "a.txt", "app", "app/Dockerfile", "app/b.txt", "app/package.json",
                                        "folder", "folder/x", "gone.txt"]
    assert reviews(place) == []


def test_one_half_of_a_renaming_can_be_named(place, ringwall, review):  # noqa: F811
    (place.work / "Makefile").write_text("all:\n")
    review("mkdir sub; mv Makefile sub/")
    ringwall("apply", "r1", "--", "Makefile").ok()
    assert not (place.work / "Makefile").exists() and not (place.work / "sub").exists()


def test_a_folder_keeps_what_is_in_it_if_what_takes_its_place_is_left_out(place, ringwall, review):  # noqa: F811
    for name in ("data/p", "data/sub/q", "Makefile/x", "pipe/x"):
        (place.work / name).parent.mkdir(parents=True, exist_ok=True)
        (place.work / name).write_text(name)
    review("rm -r data Makefile pipe; ln -s /srv/data data; echo all: >Makefile; mkfifo pipe")
    said = ringwall("apply", "r1").ok()
    assert "data/sub/q: what takes the place of its folder is left out" in said
    assert [(place.work / name).read_text() for name in ("data/p", "data/sub/q", "Makefile/x")] == [
        "data/p", "data/sub/q", "Makefile/x"]
    assert (place.work / "pipe").is_fifo()  # nothing speaks against it
    ringwall("apply", "r1", "--", "data", "Makefile").ok()
    assert os.readlink(place.work / "data") == "/srv/data" and (place.work / "Makefile").read_text() == "all:\n"
    assert reviews(place) == []
    os.unlink(place.work / "pipe")
