"""Every link of every document leads to a file of this project, and every `#` in it to a heading there, as GitHub names it.
docs/README.md lists all documents."""
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEFT_OUT = {"build", "node_modules", ".git", "changes"}  # a change moves to CHANGELOG.md, where its links lead elsewhere
LINK = re.compile(r"\[(?:[^\]\[]|\[[^\]]*\])*\]\(([^)\s]+)\)|<img [^>]*src=\"([^\"]+)\"")


def documents(root):
    return [file for file in sorted(root.rglob("*.md")) if not LEFT_OUT & set(file.relative_to(root).parts)]


def text_of(file):
    """Without blocks of code, in which brackets are not links."""
    return re.sub(r"^( *)```.*?^\1```", "", file.read_text(), flags=re.MULTILINE | re.DOTALL)


def anchors(file):
    found = set(re.findall(r'<a id="([^"]+)">', text_of(file)))
    for title in re.findall(r"^#+ (.*)$", text_of(file), re.MULTILINE):
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
        name = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        number = 0
        while (unique := f"{name}-{number}" if number else name) in found:
            number += 1
        found.add(unique)
    return found


def dead_links(root):
    dead = []
    for file in documents(root):
        for match in LINK.finditer(re.sub(r"`[^`\n]*`", lambda code: code.group().replace("(", "{"), text_of(file))):
            link = match.group(1) or match.group(2)
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = link.partition("#")
            target = (file.parent / path).resolve() if path else file
            if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
                dead.append(f"{file.relative_to(root)}: {link}")
    return dead


class Links(unittest.TestCase):
    def test_no_link_is_dead(self):
        self.assertGreater(len(documents(ROOT)), 40)
        self.assertEqual(dead_links(ROOT), [])

    def test_the_index_has_every_document(self):
        index = (ROOT / "docs/README.md").read_text()
        self.assertEqual([name for file in documents(ROOT / "docs") if (name := str(file.relative_to(ROOT / "docs"))) not in index
                          and file.parent.name != "examples" and name != "README.md"], [])

    def test_dead_links_are_found(self):
        import tempfile

        with tempfile.TemporaryDirectory() as work:
            root = pathlib.Path(work)
            (root / "a.md").write_text("# One, `two`\n[x](b.md) [y](#one-two) [z](#one) [w](a.md#gone) ![p](p.png)\n```\n[no](no.md)\n```\n")
            self.assertEqual([line.split(": ")[1] for line in dead_links(root)], ["b.md", "#one", "a.md#gone", "p.png"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
