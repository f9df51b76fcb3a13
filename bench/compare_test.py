#!/usr/bin/python3 -B
"""Tests of what the comparison computes and shows; the measurements themselves are `make compare`."""

import os
import pathlib
import tempfile
import unittest
import unittest.mock
import xml.etree.ElementTree

import compare_readme
import compare_room
import compare_tables
import cost_sides
import growth
import plot

SIDES = {
    "bare": {"title": "no wall", "version": "", "is_default": False, "about": "", "command": "COMMAND"},
    "ringwall": {"title": "Ringwall", "version": "1", "is_default": False, "about": "x", "command": "ringwall run"},
    "peer": {"title": "Peer", "version": "2", "is_default": False, "about": "y", "command": "peer"},
    "peer-default": {"title": "Peer", "version": "2", "is_default": True, "about": "z", "command": "peer"},
    "absent": {"title": "Absent", "version": "", "is_default": False, "about": "", "cannot": "not installed"},
}
HOST = {"date": "2026-01-01", "kernel": "6", "system": "Debian", "processors": "2 x P", "memory_gb": 4, "busy": 0.1}


def case(name, **results):
    walls = {wall.replace("_", "-"): {"result": word, "seconds": 0.1} for wall, word in results.items()}
    return {"class": "network", "name": name, "walls": walls}


ATTACKS = {
    "host": HOST,
    "sides": SIDES,
    "cases": [
        case("one", bare="through", ringwall="stopped", peer="through", peer_default="through"),
        case("two", bare="through", ringwall="refused", peer="stopped", peer_default="broken"),
        case("broken", bare="stopped"),
        {"class": "network", "name": "three", "not_run": "gdb is missing"},
    ],
}


def points(cost):
    return [{"size": size, "median": cost(size)} for size in (1, 100, 1_000, 10_000)]


class Growth(unittest.TestCase):
    def test_exponents(self):
        self.assertAlmostEqual(growth.exponent(points(lambda size: 50 + size - 1)), 1, places=1)
        self.assertAlmostEqual(growth.exponent(points(lambda size: 50 + size**2)), 2, places=1)

    def test_verdicts(self):
        self.assertEqual(growth.verdict(points(lambda size: 50 + size * 1e-4)), "constant")
        self.assertRegex(growth.verdict(points(lambda size: 50 + size - 1)), r"^1\.\d\d$")
        self.assertIn("WORSE", growth.verdict(points(lambda size: 50 + size**1.5)))
        self.assertIn("noisy", growth.verdict(points(lambda size: 99 if size == 10_000 else 50 - size / 1e3)))


class Cost(unittest.TestCase):
    def row(self, more_is_better=False):
        times = {"bare": [1, 1, 1], "ringwall": [2, 2, 9], "peer": [4, 4, 4], "slow": [8, 8, 8]}
        return cost_sides.row_of("r", "r", "says", "ms", times, {"absent": "gone"}, more_is_better=more_is_better)

    def test_ratios_are_medians_of_rounds(self):
        row = self.row()
        self.assertEqual((row["to_bare"], row["best_peer"], row["to_best_peer"]), (2, "peer", 0.5))

    def test_where_more_is_better_the_best_is_the_most(self):
        row = self.row(more_is_better=True)
        self.assertEqual((row["best_peer"], row["to_best_peer"]), ("slow", 4))

    def test_who_fails_is_left_out_with_the_reason(self):
        def fails():
            raise OSError("no such thing")

        times, reasons = cost_sides.take_turns({"good": lambda: 1, "bad": fails}, 2)
        self.assertEqual((times, list(reasons)), ({"good": [1, 1]}, ["bad"]))

    def test_the_plot_is_drawn(self):
        drawn = plot.draw({"sides": SIDES, "rows": [self.row()]})
        root = xml.etree.ElementTree.fromstring(drawn)
        self.assertIn("2.00", "".join(root.itertext()))


class Tables(unittest.TestCase):
    def test_numbers_of_attacks(self):
        (_, best), (_, default) = compare_tables.attack_tables(ATTACKS)
        self.assertEqual(best[-1], ["all", "2/2", "1/2"])
        self.assertEqual(default[-1], ["all", "2/2", "0/2"])

    def test_the_short_table_of_the_readme(self):
        old = f"before\n{compare_readme.BEGIN}\nold\n{compare_readme.END}\nafter\n"
        new = compare_readme.renewed(old, {"attacks": ATTACKS})
        self.assertIn("| attacks beaten | 2/2 | 1/2 | - |", new)
        self.assertIn("| … as each comes | 2/2 | 0/2 | - |", new)
        self.assertTrue(new.startswith("before\n") and new.endswith("after\n") and "old" not in new)
        with self.assertRaises(ValueError):
            compare_readme.renewed("no marks", {"attacks": ATTACKS})

    def test_a_page_tells_settings_reasons_and_what_was_not_run(self):
        with tempfile.TemporaryDirectory() as folder:
            docs = pathlib.Path(folder)
            (docs / "attacks.json").write_text(compare_tables.json.dumps(ATTACKS))
            compare_tables.write(docs)
            page = (docs / "attacks.md").read_text()
        for text in ("ringwall run", "not installed", "gdb is missing", "network/two (it did not start)", "kernel 6"):
            self.assertIn(text, page)


class Committed(unittest.TestCase):
    """What lies below docs/compare/ and in the README is what its results give."""

    def setUp(self):
        self.docs = compare_room.TOP / "docs/compare"
        self.found = compare_tables.load(self.docs)
        if not self.found:
            self.skipTest("nothing was measured yet")

    def test_pages_and_plot_are_those_of_their_results(self):
        for part, result in self.found.items():
            self.assertEqual((self.docs / f"{part}.md").read_text(), compare_tables.page(part, result), "make compare ONLY=tables")
        if "cost" in self.found:
            self.assertEqual((self.docs / "cost.svg").read_text(), plot.draw(self.found["cost"]), "make compare ONLY=tables")

    def test_the_readme_shows_the_same(self):
        readme = (compare_room.TOP / "README.md").read_text()
        self.assertEqual(readme, compare_readme.renewed(readme, self.found), "make compare ONLY=tables")


class Peers(unittest.TestCase):
    def test_each_has_a_command_line_that_ends_with_the_command(self):
        walls = {name: wall for name, wall in compare_room.walls.by_name().items() if hasattr(wall, "is_default")}
        self.assertEqual(len(walls), 10)
        for wall in walls.values():
            sample = compare_room.Sample()
            words = wall.command(sample, sample, ["COMMAND", "ARGUMENT"])
            self.assertEqual(words[-2:], ["COMMAND", "ARGUMENT"])
            self.assertTrue(wall.title and wall.about)

    def test_grants_are_translated(self):
        sample = compare_room.Sample()
        sample.options = {"hosts": ["www.example.com:80"]}
        for name, wanted in (("bubblewrap", "--share-net"), ("podman", "--network=slirp4netns"), ("codex", "network_proxy")):
            wall = compare_room.walls.by_name()[name]
            self.assertIn(wanted, wall.command(sample, sample, ["COMMAND"]))
            self.assertNotIn(wanted, wall.command(compare_room.Sample(), compare_room.Sample(), ["COMMAND"]))


class SidesTest(unittest.TestCase):
    def test_every_side_can_show_its_command_line(self):
        names = {"RINGWALL_BIN": "/x/ringwall", "RINGWALL_PEERS": "/x/peers", "RINGWALL_PODMAN": "/x/podman"}
        with unittest.mock.patch.dict(os.environ, names):
            for name, wall in compare_room.walls.by_name().items():
                if name != "mutant":
                    self.assertIn("COMMAND", compare_room.shown(wall)["command"], name)


if __name__ == "__main__":
    unittest.main()
