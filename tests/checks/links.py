#!/usr/bin/env python3
"""Links between the Markdown documents lead to files, and to headings, that are there. Links to other sites are not looked at.
--self-test only proves that the check can fail."""

import posixpath
import re
import sys
from pathlib import Path

from _sources import files, finish, line_of, read

LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(([^)\s]+)\)")
FENCED = re.compile(r"^```.*?^```", re.M | re.S)


def without_code(text):
    return FENCED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def anchors(text):
    """The names that GitHub gives to headings."""
    titles = re.findall(r"^#+ +(.+)$", without_code(text), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def judge(documents, paths):
    """Takes path -> text of the documents, and all paths; gives the violations and the number of links."""
    violations, count = [], 0
    for name, text in documents.items():
        for match in LINK.finditer(without_code(text)):
            path, _, anchor = match[1].partition("#")
            if ":" in path:
                continue
            count += 1
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
            place = f"{name}:{line_of(text, match.start())}"
            if target not in paths:
                violations.append(f"{place}: no file {target}")
            elif anchor and target in documents and anchor not in anchors(documents[target]):
                violations.append(f"{place}: {target} has no heading #{anchor}")
    return violations, count


def self_test():
    documents = {"README.md": "# One\n[a](docs/b.md#a-few-words)\n```\n[x](none.md)\n```\n[s](https://site/x)", "docs/b.md": "## A `few` words!\n[up](../README.md#one)"}
    paths = set(documents) | {"docs"}
    assert judge(documents, paths) == ([], 2), judge(documents, paths)
    assert judge(documents | {"docs/b.md": "## Other"}, paths)[0] == ["README.md:2: docs/b.md has no heading #a-few-words"]
    assert judge({"README.md": "[a](docs/c.md)"}, paths)[0] == ["README.md:1: no file docs/c.md"]


def main():
    self_test()
    if "--self-test" in sys.argv:
        return 0
    names = [name.as_posix() for name in files()]
    paths = set(names) | {parent.as_posix() for name in names for parent in Path(name).parents}
    documents = {name: read(name) for name in names if name.endswith(".md") and not name.startswith(("docs/results/", "prompts/", "tests/", "recordings/"))}
    violations, count = judge(documents, paths)
    return finish(violations, f"{count} links in {len(documents)} documents")


if __name__ == "__main__":
    sys.exit(main())
