"""The fixtures of the whole-program tests, and a person who reads."""

import pytest

from person import Person, fixtures

place, leftovers, known_programs = fixtures.place, fixtures.leftovers, fixtures.known_programs


@pytest.fixture
def person(place, known_programs):
    made = Person(place, fixtures.binary("RINGWALL_BIN"), known_programs)
    yield made
    made.leave()
