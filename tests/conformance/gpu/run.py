"""Candidates for accelerators with a known outcome: broken, threats and honest ones, one file each, with the directives of
../candidates/run.py. They are judged where the device of their platform is, and skipped elsewhere.

run.py --kforge KFORGE [--python PYTHON] [--only PATTERN]... [--slow] [--open] [--offline]
With --offline and no device, by what the platform can check without it: the honest ones must be `checked`, and of the others
only those fail to compile that are meant to. Takes minutes; Triton's threats are left out, its interpreter is too slow for them.
"""

import collections
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "candidates"))

import run as driver  # noqa: E402

FOLDERS = [HERE / name for name in driver.SETS]
# The first call of a kernel builds it, which takes torch.compile long.
USUAL = ["--baselines", "eager", "--timing-budget-s", "0.3", "--call-limit-s", "40"]


def usable(kforge):
    """Names of the platforms whose device is here, and why the others are not."""
    reply = json.loads(kforge.call(["platforms", "--json"], HERE).stdout)
    return {platform["name"]: "" if platform["usable"] else platform["missing"] for platform in reply["platforms"]}


def hangs(candidate):
    return candidate.expect[0] == "runtime_error timeout"


class Offline(driver.Session):
    """Judges by the checks that need no device."""

    def run(self, group):
        slow = group[0].platform.endswith("triton") and group[0].path.parent.name == "threats"
        if slow or hangs(group[0]):
            for candidate in group:
                print(f"[SKIP] {candidate.name}: takes too long without the device", flush=True)
            return
        results, trouble = self.evaluate(group)
        for index, candidate in enumerate(group):
            result = results[index] if results else None
            self.say(candidate, trouble or self.complaint(candidate, result), result)

    @staticmethod
    def complaint(candidate, result):
        state = result["state"]
        if candidate.offline:
            right = state == candidate.offline
        elif candidate.path.parent.name == "honest":
            right = state == "checked"
        else:
            right = state != "compilation_failure" or any(word.startswith(state) for word in candidate.expect)
        return "" if right else f"got {state} {result['reason']}\n    {result['evidence']}"


def split(group):
    """By folder, and apart what hangs."""
    parts = {}
    for candidate in group:
        parts.setdefault((candidate.path.parent, hangs(candidate)), []).append(candidate)
    return list(parts.values())


def main():
    parser = driver.make_parser()
    parser.add_argument("--offline", action="store_true")
    options = parser.parse_args()
    session, offline = driver.Session(options, USUAL), Offline(options, USUAL)
    here = usable(session.kforge)
    skipped = collections.Counter()
    for group in driver.read_groups(FOLDERS, options):
        platform = group[0].platform
        if not here[platform]:
            session.run(group)
        elif options.offline:
            for part in split(group):
                offline.run(part)
        else:
            skipped[platform] += len(group)
    for platform, count in skipped.items():
        print(f"[SKIP] {platform}: {count} candidates: {here[platform]}", flush=True)
    return 1 if session.failed or offline.failed else 0


if __name__ == "__main__":
    sys.exit(main())
