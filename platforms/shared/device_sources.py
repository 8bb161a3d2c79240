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
_lines, _failures, _settings = [], [], {}


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


def _judge(target, done, output):
    if done.returncode == 0:
        text = done.stdout + done.stderr
        if os.path.exists(output):
            with open(output, encoding="utf-8", errors="ignore") as file:
                text += file.read()
        facts = _facts(text)
        _lines.append(f"{target}: " + (facts or "no complaint"))
        return
    said = done.stderr or done.stdout
    if missing := _MISSING_HEADER.search(said):
        _lines.append(f"{target}: not compiled, the header {missing.group(1)} is not on this machine")
        return
    # A check of syntax judges only what it is certain of: names may be unknown to it that the real compiler knows.
    errors = [line for line in said.splitlines() if re.search(r"\berror:", line)]
    certain = [line for line in errors if re.search(_settings["options"].get("errors", ""), line)]
    if not certain:
        _lines.append(f"{target}: {len(errors)} messages about names that this check does not know, not judged; "
                      f"the first: {errors[0] if errors else said[:200]}")
        return
    if _settings["options"].get("errors"):
        said = "\n".join(certain)
    _failures.append(f"{os.path.basename(_settings['command'][0])} for {target}:\n{said}")
    raise CompilationError(_failures[-1])


def _check(source, inline=False):
    options = _settings["options"]
    folder = tempfile.mkdtemp()
    path, output = os.path.join(folder, "kernel" + options.get("suffix", ".cpp")), os.path.join(folder, "kernel.out")
    with open(path, "w", encoding="utf-8") as file:
        file.write(options.get("prologue", "") + "\n" + source)
    # PyTorch's headers take half a minute for each target: then one must do.
    for target in _settings["targets"][:1] if inline else _settings["targets"]:
        command = _command(target, path, output, _includes() if inline else [])
        _judge(target, subprocess.run(command, capture_output=True, text=True), output)


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
