"""A check without the device: what a candidate hands to PyTorch for compiling (torch.cuda._compile_kernel, load_inline,
torch.mps.compile_shader) goes to the platform's command instead, once for each target. Kernels are not launched."""

import os
import re
import subprocess
import sysconfig
import tempfile

import torch
from torch.utils import cpp_extension

from kforge_arena.offline import CompilationError, Reached

_MISSING_HEADER = re.compile(r"fatal error: '?([\w./+-]+)'?(?:: No such file| file not found)")
_ERROR = re.compile(r"\berror\s*:")  # ptxas puts blanks before the colon
_lines, _failures, _settings = [], [], {}
_tally = {"handed": 0, "judged": 0}


def _includes():
    paths = [*cpp_extension.include_paths(), sysconfig.get_path("include")]
    return [word for path in paths for word in ("-isystem", path)]


def _command(target, source, output, includes):
    words = []
    for word in _settings["command"]:
        if word == "{includes}":
            words += includes
        else:
            for key, value in (("target", target), ("source", source), ("output", output), ("shims", _settings["folder"])):
                word = word.replace("{" + key + "}", value)
            words.append(word)
    return words


def _facts(text):
    """What the platform's pattern finds: registers, spills."""
    pattern = _settings["options"].get("report")
    found = [next(filter(None, match.groups())) for match in re.finditer(pattern, text)] if pattern else []
    return ", ".join(re.sub(r"\s+", " ", fact) for fact in found)


def _run(target, source, output, inline):
    """The compiler's outcome, and the header that was missing where the shims had to stand in: it declares types alone."""
    includes = _includes() if inline else []
    done = subprocess.run(_command(target, source, output, includes), capture_output=True, text=True)
    missing = done.returncode and _MISSING_HEADER.search(done.stderr)
    if not missing or missing[1] not in _settings["shims"] or any("{shims}" in word for word in _settings["command"]):
        return done, ""
    includes += ["-isystem", _settings["folder"]]
    return subprocess.run(_command(target, source, output, includes), capture_output=True, text=True), missing[1]


def _undone(done, absent):
    """Why the outcome says nothing about the code; empty: it does. Then the errors that are certain, if any."""
    said, options = done.stderr or done.stdout, _settings["options"]
    errors = [line for line in said.splitlines() if _ERROR.search(line)]
    if missing := _MISSING_HEADER.search(said):
        return f"not compiled, the header {missing[1]} is not on this machine", []
    foreign = [line for line in errors if absent and re.search(options.get("libraries", "$^"), line)]
    if foreign:
        return f"not compiled, the header {absent} is not on this machine, and its names are used: {foreign[0]}", []
    # A check of syntax judges only what it is certain of: names may be unknown to it that the real compiler knows.
    certain = [line for line in errors if re.search(options.get("errors", ""), line)]
    if not errors:
        return f"not compiled, {os.path.basename(_settings['command'][0])} gave up: {said.strip()[-200:] or done.returncode}", []
    return "", certain


def _judge(target, done, output, absent):
    """Whether the code was judged; refusals are returned, as the target's own or everybody's."""
    if done.returncode == 0:
        text = done.stdout + done.stderr
        if os.path.exists(output):
            with open(output, encoding="utf-8", errors="ignore") as file:
                text += file.read()
        note = f" ({absent} is not on this machine: one with types alone stood in)" if absent else ""
        _lines.append(f"{target}: " + (_facts(text) or "no complaint") + note)
        return True, ""
    why, certain = _undone(done, absent)
    if why:
        _lines.append(f"{target}: {why}")
        return False, ""
    said = done.stderr or done.stdout
    if not certain:
        errors = [line for line in said.splitlines() if _ERROR.search(line)]
        _lines.append(f"{target}: {len(errors)} messages about names that this check does not know, not judged; "
                      f"the first: {errors[0]}")
        return True, ""
    _lines.append(f"{target}: refused: {certain[0]}")
    if _settings["options"].get("errors"):
        said = "\n".join(certain)
    return False, f"{os.path.basename(_settings['command'][0])} for {target}:\n{said}"


def _check(source, inline=False):
    options = _settings["options"]
    folder = tempfile.mkdtemp()
    path, output = os.path.join(folder, "kernel" + options.get("suffix", ".cpp")), os.path.join(folder, "kernel.out")
    with open(path, "w", encoding="utf-8") as file:
        file.write(options.get("prologue", "") + "\n" + source)
    # PyTorch's headers take half a minute for each target: then one must do.
    targets, left_out = _settings["targets"], []
    if inline:
        targets, left_out = targets[:1], targets[1:]
    outcomes = []
    for target in targets:
        done, absent = _run(target, path, output, inline)
        outcomes.append(_judge(target, done, output, absent))
    if left_out:
        _lines.append(f"for {targets[0]} only, not {', '.join(left_out)}: PyTorch's headers take long. cpp_sources are not compiled")
    _tally["handed"] += 1
    refusals = [refusal for _, refusal in outcomes if refusal]
    if any(judged for judged, _ in outcomes):  # what some targets lack, others have
        _tally["judged"] += 1
    elif refusals:
        _failures.append(refusals[0])
        raise CompilationError(refusals[0])


class _Kernel:
    """Takes any launch and does nothing."""

    def __call__(self, *args, **kwargs):
        pass

    def set_shared_memory_config(self, size):
        pass


class _Library:
    def __getattr__(self, name):
        return _Kernel()


class _Extension:
    """Its functions return tensors that nobody can make here: the call ends."""

    def __getattr__(self, name):
        def function(*args, **kwargs):
            raise Reached
        return function


def _compile_kernel(kernel_source, kernel_name, *args, **kwargs):
    _check(kernel_source)
    return _Kernel()


def _compile_shader(source):
    _check(source)
    return _Library()


_load_inline = cpp_extension.load_inline


def _load(name, cpp_sources, cuda_sources=None, sycl_sources=None, *args, **kwargs):
    sources = cuda_sources or sycl_sources
    if not sources:
        return _load_inline(name, cpp_sources, cuda_sources, sycl_sources, *args, **kwargs)
    text = sources if isinstance(sources, str) else "\n".join(sources)
    header = "" if kwargs.get("no_implicit_headers") else "#include <torch/types.h>\n"
    _check(header + text, inline=True)
    return _Extension()


def prepare(settings):
    _settings.update(settings)
    _settings["folder"] = tempfile.mkdtemp()
    for name, text in settings["shims"].items():
        path = os.path.join(_settings["folder"], name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    torch.cuda._compile_kernel = _compile_kernel
    torch.mps.compile_shader = _compile_shader
    cpp_extension.load_inline = _load


def report():
    if _failures:  # the candidate may have caught it
        raise CompilationError(_failures[0])
    return _lines or ["it handed nothing to a compiler"]


def tally():
    return _tally["handed"], _tally["judged"]
