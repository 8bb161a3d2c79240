"""Each part of the promise is guaranteed by tests of the jail itself (tests/conformance/jail); here they are run on
this machine as this user, and what they find missing must be what a verdict admits."""

import re
import subprocess
import sys

from kforge_session import FOLDER
from promise import TINY_NORM as PROBLEM, expect, tiny_norm

GUARANTEES = {
    "no network": ["no_network_can_be_reached", "there_is_no_network_device"],
    "no processes but its own": ["other_processes_cannot_be_seen", "other_processes_cannot_be_signalled",
                                 "memory_of_other_processes_cannot_be_read", "sockets_of_other_programs_cannot_be_reached"],
    "nothing writable but a size-limited scratch": [
        "nothing_outside_the_scratch_can_be_written", "the_scratch_is_the_working_directory_and_private",
        "the_scratch_is_limited_in_bytes_and_files", "one_file_is_limited_in_size"],
    "nothing readable but the system, Python and its packages": [
        "files_of_the_user_are_out_of_sight", "not_even_the_names_of_hidden_files_are_there",
        "hidden_paths_below_readable_ones_are_empty", "the_old_root_is_gone", "only_the_control_descriptor_is_inherited"],
    "no credentials or environment of the user": ["the_environment_of_the_parent_cannot_be_read", "there_are_no_privileges"],
    "limits on memory and processes": ["memory_of_one_process_is_limited", "memory_of_all_processes_together_is_limited",
                                       "a_fork_bomb_is_contained", "nobody_fills_the_table_of_open_files"],
    "a kill that reaches every descendant": ["no_process_is_left_behind_when_the_player_is_killed",
                                             "no_process_is_left_behind_when_the_player_ends",
                                             "no_process_is_left_behind_when_the_parent_dies"],
    "--jail require refuses to run": ["a_required_jail_refuses_to_run_without_a_promise"],
}
CANDIDATES = {"jailed": tiny_norm("return right(x)  # in its jail")}


def check(found, world):
    expect(found, "jailed", "correct")
    names = [name for group in GUARANTEES.values() for name in group]
    argv = [world.python or sys.executable, FOLDER / "jail" / "suite.py", "--library", world.library]
    for name in names:
        argv += ["--only", name]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=300)
    told = {name: status for status, name in re.findall(r"^(ok|FAIL|\[SKIP\]) (\w+)", done.stdout, re.M)}
    for part, group in GUARANTEES.items():
        for name in group:
            assert told.get(name) in ("ok", "[SKIP]"), f"{part}: {name} is {told.get(name, 'not there')}\n{done.stdout}"
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"

    missing = set(re.findall(r"^  not promised here: (.*?) \(", done.stdout, re.M))
    admitted = {promise.split(" (")[0] for promise in found["jailed"]["open_promises"]}
    assert missing <= admitted, f"not promised, and not said in the verdict: {missing - admitted}"
    assert "no jail" not in admitted, "there was no jail"
    for name, status in told.items():
        assert status == "ok" or missing, f"{name} was skipped, and nothing is said to be missing"
    check_require(found, world, missing)


def check_require(found, world, missing):
    """What is demanded is had, or nothing runs."""
    candidate = world.folder / "required.py"
    candidate.write_text(CANDIDATES["jailed"])
    results, trouble = world.kforge.evaluate([candidate], PROBLEM, ["--jail", "require", "--baselines", "eager",
                                                                   "--timing-budget-s", "0.2"])
    if missing:
        assert results is None and "jail" in trouble, f"--jail require ran although {missing} cannot be promised here"
    else:
        assert results and results[0]["state"] == "correct" and not results[0]["open_promises"], trouble or results[0]
