"""The checker of documents itself: what it reads, what it accepts, and above all what it does not."""

import os
import pathlib
import tempfile
import unittest
import unittest.mock

import run_guide

PROGRAM = """top

static int old;

int main(void)
"""


class Documents(unittest.TestCase):
    def setUp(self):
        work = tempfile.TemporaryDirectory(prefix="halyard-guide-test-")
        self.addCleanup(work.cleanup)
        self.folder = pathlib.Path(work.name)

    def read(self, text):
        page = self.folder / "page.md"
        page.write_text(text)
        return list(run_guide.read_document(page))

    def is_so(self, text, patience_s=1.5):
        """Does the document hold, done in a real shell?"""
        self.read(text)
        with unittest.mock.patch.multiple(run_guide, LIMIT_S=patience_s, LATE_S=1e9), unittest.mock.patch("builtins.print"):
            return run_guide.do_document(self.folder / "page.md", self.folder)

    def test_actions_come_in_their_order(self):
        text = (
            "## One\nDo this:\n```sh\nls\n```\nPress <kbd>Enter</kbd>, <!-- true: led 1..1 --> hold <kbd>w</kbd>, and\n"
            "click **Reset**.\n## Two\nClick **User button**. <!-- laps: done -->\n"
        )
        self.assertEqual(
            self.read(text),
            [
                ("One", "sh", ("ls\n", "Do this:")),
                ("One", "key", "Enter"),
                ("One", "true", "led 1..1"),
                ("One", "hold", "w"),
                ("One", "click", "Reset"),
                ("Two", "click", "User button"),
                ("Two", "laps", "done"),
            ],
        )

    def test_what_is_shown_is_accepted(self):
        self.assertTrue(self.is_so("```sh\necho one 1.25; echo two\n```\n```text\none 3.99\ntwo\n```\n", 30))

    def test_what_is_not_shown_is_not(self):
        for shown, promised in (("one", "two"), ("one 1.25", "one 1.3"), ("lap 1", "lap 2"), ("a; echo x; echo b", "a\nb")):
            with self.subTest(promised):
                self.assertFalse(self.is_so(f"```sh\necho {shown} | cat\n```\n```text\n{promised}!\n```\n"))

    def test_what_an_earlier_command_showed_does_not_count(self):
        self.assertFalse(self.is_so("```sh\necho o''ne\n```\n```sh\necho two\n```\n```text\none\n```\n"))

    def test_a_file_is_written_and_its_middle_replaced(self):
        self.assertTrue(
            self.is_so(
                f"Write this into `a.c`:\n```c\n{PROGRAM}```\n"
                "Everything between `top` and `int main` becomes:\n```c\nstatic int new;\n```\n"
                "```sh\ncat a.c\n```\n```text\ntop\n\nstatic int new;\n\nint main(void)\n```\n",
                30,
            )
        )

    def test_a_quotation_has_to_be_one(self):
        reader = run_guide.Reader.__new__(run_guide.Reader)
        reader.about = run_guide.ROOT / "examples/blink.c"
        reader.c(("static hy_xrp xrp;\n", "As here:"))
        with self.assertRaises(run_guide.Broken):
            reader.c(("static hy_xrp xrq;\n", "As here:"))

    def test_a_promise_without_a_page_is_broken(self):
        self.assertFalse(self.is_so("```sh\necho\n```\n<!-- true: led 1..1 -->\n"))


class Screens(unittest.TestCase):
    def shown(self, *pieces):
        screen = run_guide.Screen()
        for piece in pieces:
            screen.feed(piece)
        return screen.text()

    def test_a_picture_is_drawn_over_the_last_one(self):
        first, second = "\x1b[H\x1b[1mlong line\x1b[0m\x1b[K\r\nmore\x1b[K\x1b[J", "\x1b[Hline\x1b[K\x1b[J"
        self.assertEqual(self.shown(first), "long line\nmore")
        self.assertEqual(self.shown(first, second), "line")

    def test_sequences_come_in_pieces(self):
        text = "$ \x1b[?1049h\x1b[Hpicture\x1b[?1049lend"
        for cut in range(len(text)):
            self.assertEqual(self.shown(text[:cut], text[cut:]), "$ end")

    def test_numbers_are_compared_by_their_kind(self):
        def fits(promised, shown):
            return run_guide.re.fullmatch(run_guide.pattern_of(promised), shown) is not None

        self.assertTrue(fits("0.20 m at +1.0, 20 statuses/s", "-3.14 m at -2.5, 19 statuses/s"))
        self.assertTrue(fits("open http://127.0.0.1:5800/#...", "open http://127.0.0.1:5800/#4af0"))
        for shown in ("0.2 m", "1 m", "x m", "0.20 s"):
            self.assertFalse(fits("0.20 m", shown))
        self.assertFalse(fits("corner 1", "corner 2"))


class Pages(unittest.TestCase):
    def test_conditions_hold_all_at_once_and_to_their_ends(self):
        page = run_guide.Page.__new__(run_guide.Page)
        page.state = {"at": [1.0, 2.0, 0.5], "led": True, "range": 0.2}
        self.assertTrue(page.holds([("at.1", 1.9, 2.0), ("led", 1, 1)]))
        self.assertFalse(page.holds([("at.1", 1.9, 2.0), ("range", 0.3, 1)]))


if __name__ == "__main__":
    os.environ.pop("CI", None)
    unittest.main()
