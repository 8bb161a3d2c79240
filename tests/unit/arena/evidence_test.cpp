#include "kforge/arena/evidence.hpp"

#include <gtest/gtest.h>

#include <string>

namespace kforge {
namespace {

// As torch.utils.cpp_extension prints it, shortened.
const std::string k_load_inline = R"(Traceback (most recent call last):
  File "/opt/venv/lib/python3.11/site-packages/torch/utils/cpp_extension.py", line 2893, in _run_ninja_build
    subprocess.run(
subprocess.CalledProcessError: Command '['ninja', '-v', '-j', '1']' returned non-zero exit status 1.

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/tmp/x7f3/candidate.py", line 16, in <module>
    m = load_inline("bad", cpp_sources=src, functions=["f"])
  File "/opt/venv/lib/python3.11/site-packages/torch/utils/cpp_extension.py", line 2910, in _run_ninja_build
    raise RuntimeError(message) from e
RuntimeError: Error building extension 'bad': [1/2] c++ -MMD -MF main.o.d -DTORCH_EXTENSION_NAME=bad -c main.cpp
FAILED: main.o 
c++ -MMD -MF main.o.d -DTORCH_EXTENSION_NAME=bad -c main.cpp
/tmp/x7f3/ext/bad/main.cpp: In function ‘at::Tensor f(at::Tensor)’:
/tmp/x7f3/ext/bad/main.cpp:8:29: error: ‘n’ was not declared in this scope; did you mean ‘c10::attr::n’?
    8 |     for (int64_t i = 0; i < n; ++i) y[i] = sqroot(p[i]);
      |                             ^
In file included from /opt/venv/lib/python3.11/site-packages/torch/include/torch/csrc/jit/ir/ir.h:19,
                 from /tmp/x7f3/ext/bad/main.cpp:1:
/opt/venv/lib/python3.11/site-packages/torch/include/ATen/core/interned_strings.h:351:1: note: ‘c10::attr::n’ declared here
  351 | FORALL_NS_SYMBOLS(DEFINE_SYMBOL)
      | ^~~~~~~~~~~~~~~~~
/tmp/x7f3/ext/bad/main.cpp:8:44: error: ‘sqroot’ was not declared in this scope; did you mean ‘sqrt’?
    8 |     for (int64_t i = 0; i < n; ++i) y[i] = sqroot(p[i]);
      |                                            ^~~~~~
/tmp/x7f3/ext/bad/main.cpp:11:9: error: ‘n’ was not declared in this scope; did you mean ‘c10::attr::n’?
   11 |     foo(n);
      |         ^
/tmp/x7f3/ext/bad/main.cpp:9:9: warning: unused variable ‘unused’ [-Wunused-variable]
    9 |     int unused = 3;
      |         ^~~~~~
ninja: build stopped: subcommand failed.
)";

const std::string k_source = R"(import torch
src = r'''
torch::Tensor f(torch::Tensor x) {
    for (int64_t i = 0; i < n; ++i) y[i] = sqroot(p[i]);
}
'''
)";

TEST(CompilerEvidence, LoadInlineIsReducedToItsErrors) {
    EXPECT_EQ(compiler_evidence(k_load_inline, k_source),
              R"(main.cpp:8:29: error: ‘n’ was not declared in this scope; did you mean ‘c10::attr::n’?
    8 |     for (int64_t i = 0; i < n; ++i) y[i] = sqroot(p[i]);
      |                             ^
    (line 4 of the candidate)
main.cpp:8:44: error: ‘sqroot’ was not declared in this scope; did you mean ‘sqrt’?
    8 |     for (int64_t i = 0; i < n; ++i) y[i] = sqroot(p[i]);
      |                                            ^~~~~~
    (line 4 of the candidate)
1 repeat of these messages left out)");
}

TEST(CompilerEvidence, NvccAndItsFriends) {
    EXPECT_EQ(compiler_evidence(R"(k.cu(3): error: expected a ";"
      if (i < m) x[i] = f(x[i]);
      ^

k.cu(5): error #20: identifier "q" is undefined
      q = 1;
      ^

2 errors detected in the compilation of "k.cu".
)",
                                "  q = 1;\n"),
              R"(k.cu:3: error: expected a ";"
      if (i < m) x[i] = f(x[i]);
      ^
k.cu:5: error: identifier "q" is undefined
      q = 1;
      ^
    (line 1 of the candidate))");
    EXPECT_EQ(compiler_evidence(
                  "default_program(12): error: identifier \"tid\" is undefined\n\n1 error detected", ""),
              "default_program:12: error: identifier \"tid\" is undefined");
    EXPECT_EQ(compiler_evidence(
                  "ptxas error   : Entry function '_Z1kPf' uses too much shared data (0x61a80 bytes)\n", ""),
              "ptxas: error: Entry function '_Z1kPf' uses too much shared data (0x61a80 bytes)");
    EXPECT_EQ(compiler_evidence("nvcc fatal   : Unsupported gpu architecture 'compute_35'\n", ""),
              "error: Unsupported gpu architecture 'compute_35'");
}

TEST(CompilerEvidence, ClangQuotesWithoutBars) {
    EXPECT_EQ(compiler_evidence("/tmp/a/k.cpp:2:10: error: use of undeclared identifier 'n'\n  return n;\n   "
                                "      ^\n1 error generated.\n",
                                ""),
              "k.cpp:2:10: error: use of undeclared identifier 'n'\n  return n;\n         ^");
}

TEST(CompilerEvidence, AnErrorInALibraryTemplateNamesWhereItWasUsed) {
    const std::string evidence = compiler_evidence(
        R"(/usr/include/c++/12/bits/stl_algo.h:4820:18:   required from ‘void std::sort(_RAIter, _RAIter)’
/tmp/a/l.cpp:5:49:   required from here
/usr/include/c++/12/bits/predefined_ops.h:45:23: error: no match for ‘operator<’
   45 |       { return *__it1 < *__it2; }
      |                ~~~~~~~^~~~~~~~
)",
        "");
    EXPECT_NE(evidence.find("(in a template used at l.cpp:5:49)"), std::string::npos);
}

TEST(CompilerEvidence, LinkersAndDrivers) {
    EXPECT_EQ(compiler_evidence("/usr/bin/ld: /tmp/ccp.o: in function `main':\nu.cpp:(.text+0x5): undefined "
                                "reference to `g()'\ncollect2: error: ld returned 1 exit status\n",
                                ""),
              "error: undefined reference to `g()'");
    EXPECT_EQ(compiler_evidence("/usr/bin/ld: cannot find -lblas: No such file or directory\ncollect2: "
                                "error: ld returned 1 exit status\n",
                                ""),
              "error: cannot find -lblas: No such file or directory");
    EXPECT_EQ(compiler_evidence("g++: error: unrecognized command-line option ‘-fmagic’\n", ""),
              "error: unrecognized command-line option ‘-fmagic’");
}

TEST(CompilerEvidence, TritonKeepsTheLinesBeforeTheCaret) {
    EXPECT_EQ(
        compiler_evidence(R"(triton.compiler.errors.CompilationError: at 6:12:
def k(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask)
    y = tl.relu(x)
            ^
AttributeError("module 'triton.language' has no attribute 'relu'")
)",
                          "    y = tl.relu(x)\n"),
        R"(Triton kernel, line 6, column 12: error: AttributeError("module 'triton.language' has no attribute 'relu'")
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask)
    y = tl.relu(x)
            ^
    (line 1 of the candidate))");
}

TEST(CompilerEvidence, ManyErrorsAreCounted) {
    std::string raw;
    for (int i = 1; i <= 40; ++i)
        raw += "k.cpp:" + std::to_string(i) + ":1: error: problem " + std::to_string(i) + " " +
               std::string(50'000, 'x') + "\n";
    const std::string evidence = compiler_evidence(raw, "");
    EXPECT_LT(evidence.size(), 4200u);
    EXPECT_NE(evidence.find("problem 5"), std::string::npos);
    EXPECT_EQ(evidence.find("problem 6"), std::string::npos);
    EXPECT_NE(evidence.find("35 more errors"), std::string::npos);
}

TEST(CompilerEvidence, WithoutAnErrorTheEndIsShown) {
    std::string raw = "[1/2] c++ -c main.cpp\n";
    for (int i = 0; i < 1000; ++i) raw += "line " + std::to_string(i) + "\n";
    const std::string evidence = compiler_evidence(raw + "Killed\n", "");
    EXPECT_EQ(evidence.find("[1/2]"), std::string::npos);
    EXPECT_EQ(evidence.find("line 900\n"), std::string::npos);
    EXPECT_TRUE(evidence.ends_with("line 999\nKilled"));
    EXPECT_EQ(compiler_evidence("", ""), "");
}

TEST(TracebackEvidence, OwnFramesTheRaisingLibraryAndTheException) {
    EXPECT_EQ(traceback_evidence(R"(some output
Traceback (most recent call last):
  File "/opt/kforge/python/kforge_arena/player.py", line 80, in run
    output = module(*inputs)
  File "/opt/venv/lib/python3.11/site-packages/torch/nn/modules/module.py", line 1778, in _wrapped_call_impl
    return self._call_impl(*args, **kwargs)
  File "/tmp/x7f3/candidate.py", line 9, in forward
    return self.helper(x)
           ^^^^^^^^^^^^^^
  File "/tmp/x7f3/candidate.py", line 4, in helper
    return F.linear(x, None)
  File "/opt/venv/lib/python3.11/site-packages/torch/nn/functional.py", line 12, in linear
    return torch._C._nn.linear(input, weight)
RuntimeError: mat1 and mat2 shapes cannot be multiplied (3x4 and 3x4)
Exception raised from meta at LinearAlgebra.cpp:200 (most recent call first):
frame #0: c10::Error::Error(c10::SourceLocation, std::string) + 0x57 (0x7f in libc10.so)
)"),
              R"(  File "candidate.py", line 9, in forward
    return self.helper(x)
           ^^^^^^^^^^^^^^
  File "candidate.py", line 4, in helper
    return F.linear(x, None)
  (raised in functional.py, line 12, in linear)
RuntimeError: mat1 and mat2 shapes cannot be multiplied (3x4 and 3x4))");
}

TEST(TracebackEvidence, CausesAreKept) {
    EXPECT_EQ(traceback_evidence(R"(Traceback (most recent call last):
  File "/tmp/candidate.py", line 7, in forward
    return table[key]
KeyError: 'k'

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/tmp/candidate.py", line 9, in forward
    raise ValueError("bad\nkey") from e
ValueError: bad
key
)"),
              R"(  File "candidate.py", line 7, in forward
    return table[key]
KeyError: 'k'

The above exception was the direct cause of the following exception:

  File "candidate.py", line 9, in forward
    raise ValueError("bad\nkey") from e
ValueError: bad
key)");
}

TEST(TracebackEvidence, SyntaxErrorsHaveNoFunction) {
    EXPECT_EQ(traceback_evidence("  File \"/tmp/candidate.py\", line 2\n    x = (1,\n        ^\nSyntaxError: "
                                 "'(' was never closed\n"),
              "  File \"candidate.py\", line 2\n    x = (1,\n        ^\nSyntaxError: '(' was never closed");
}

TEST(TracebackEvidence, DeepRecursionKeepsTheLastFrames) {
    std::string raw = "Traceback (most recent call last):\n";
    for (int i = 0; i < 50; ++i)
        raw += "  File \"/tmp/candidate.py\", line " + std::to_string(i) + ", in f\n    f()\n";
    raw += "  [Previous line repeated 992 more times]\nRecursionError: maximum recursion depth exceeded\n";
    const std::string evidence = traceback_evidence(raw);
    EXPECT_EQ(evidence.find("line 46"), std::string::npos);
    EXPECT_NE(evidence.find("line 47"), std::string::npos);
    EXPECT_TRUE(evidence.ends_with("RecursionError: maximum recursion depth exceeded"));
}

TEST(TracebackEvidence, ALongMessageIsShortened) {
    std::string raw =
        "Traceback (most recent call last):\n  File \"/tmp/candidate.py\", line 1, in f\nValueError: a\n";
    for (int i = 0; i < 5000; ++i) raw += "more text " + std::to_string(i) + "\n";
    const std::string evidence = traceback_evidence(raw);
    EXPECT_LT(evidence.size(), 4200u);
    EXPECT_NE(evidence.find("more lines"), std::string::npos);
}

TEST(TracebackEvidence, ADumpOfFaulthandler) {
    EXPECT_EQ(traceback_evidence(R"(Fatal Python error: Segmentation fault

Current thread 0x00007f3a (most recent call first):
  File "/tmp/candidate.py", line 12 in forward
  File "/opt/venv/lib/python3.11/site-packages/torch/nn/modules/module.py", line 1778 in _call_impl

Extension modules: numpy.core._multiarray_umath (total: 20)
)"),
              "  File \"candidate.py\", line 12, in forward\nFatal Python error: Segmentation fault");
}

TEST(TracebackEvidence, WithoutATracebackTheEndIsShown) {
    EXPECT_EQ(traceback_evidence("Killed\n"), "Killed");
    EXPECT_EQ(traceback_evidence(""), "");
}

TEST(TracebackEvidence, BytesThatAreNoTextAreReplaced) {
    EXPECT_EQ(traceback_evidence("\x1B[31mbad\x1B[0m \xFF\n"), "bad \xEF\xBF\xBD");
}

TEST(LooksLikeCompilerOutput, TellsCompilersFromPython) {
    EXPECT_TRUE(looks_like_compiler_output(k_load_inline));
    EXPECT_TRUE(looks_like_compiler_output("RuntimeError: Error building extension 'x'"));
    EXPECT_TRUE(looks_like_compiler_output("k.cu(3): error: expected a \";\""));
    EXPECT_TRUE(looks_like_compiler_output("triton.compiler.errors.CompilationError: at 1:1:\nx\n^\nbad"));
    EXPECT_FALSE(
        looks_like_compiler_output("RuntimeError: CUDA error: an illegal memory access was encountered"));
    EXPECT_FALSE(looks_like_compiler_output(
        "Traceback (most recent call last):\n  File \"c.py\", line 1\nKeyError: 'error: x'"));
    EXPECT_FALSE(looks_like_compiler_output("main.cpp:9:9: warning: unused variable"));
    EXPECT_FALSE(looks_like_compiler_output(""));
}

}  // namespace
}  // namespace kforge
