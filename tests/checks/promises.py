#!/usr/bin/env python3
"""Every promise of docs/arena.md has a test that is named after it, and every such test a promise. The table of the
document names them. --self-test only proves that the check can fail."""

import re
import sys

from _sources import files, finish, read

DOCUMENT = "docs/arena.md"
TESTS = "tests/conformance/promises"
PROMISE = re.compile(r"^(\d+)\. \*\*(.+?)\*\*", re.M | re.S)


def name_of(number, words):
    return f"{int(number):02}_" + "_".join(re.findall(r"[a-z0-9]+", words.lower()))


def section(document, title):
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", document, re.M | re.S)
    return found[1] if found else ""


def judge(document, tests):
    """The violations, and how many promises there are."""
    promises = [name_of(*match.groups()) for match in PROMISE.finditer(section(document, "Promises"))]
    violations = [f"{DOCUMENT}:1: no numbered promises in the section 'Promises'"] if not promises else []
    if [int(name[:2]) for name in promises] != list(range(1, len(promises) + 1)):
        violations.append(f"{DOCUMENT}:1: the promises are not numbered one after the other")
    for name in promises:
        if name not in tests:
            violations.append(f"{DOCUMENT}:1: promise {int(name[:2])} has no test: {TESTS}/{name}.py is missing")
        if f"`{name}`" not in document:
            violations.append(f"{DOCUMENT}:1: the table of the promises' tests lacks `{name}`")
    for name in sorted(set(tests) - set(promises)):
        violations.append(f"{TESTS}/{name}.py:1: no promise of {DOCUMENT} has this name")
    return violations, len(promises)


def self_test():
    document = "## Promises\n1. **All is\n   well.** Indeed.\n2. **The jail**: closed.\n\n## Tests\n`01_all_is_well`, `02_the_jail`\n3. **No.**"
    names = ["01_all_is_well", "02_the_jail"]
    assert judge(document, names) == ([], 2), judge(document, names)
    assert "02_the_jail.py is missing" in judge(document, names[:1])[0][0]
    assert "no promise" in judge(document, names + ["03_x"])[0][0]
    assert "lacks `02_the_jail`" in judge(document.replace("`02_the_jail`", ""), names)[0][0]
    assert "one after the other" in judge(document.replace("2. **", "3. **", 1), ["01_all_is_well", "03_the_jail"])[0][0]
    assert "no numbered promises" in judge("## Promises\nNone.", [])[0][0]


def main():
    self_test()
    if "--self-test" in sys.argv:
        return 0
    tests = [name.stem for name in files() if name.parent.as_posix() == TESTS and re.match(r"\d\d_", name.name)]
    violations, count = judge(read(DOCUMENT), tests)
    return finish(violations, f"{count} promises have a test each")


if __name__ == "__main__":
    sys.exit(main())
