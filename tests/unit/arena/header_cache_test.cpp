#include "kforge/arena/header_cache.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace kforge {
namespace {

using Sets = std::vector<std::vector<std::string>>;

TEST(InlineBuildFlags, AreReadFromTheCall) {
    EXPECT_EQ(inline_build_flags("m = load_inline(name='m', cpp_sources=S, functions=['f'])"), (Sets{{}}));
    EXPECT_EQ(
        inline_build_flags("load_inline('m', S, extra_cflags=[\"-O3\", '-march=native',\n  \"-fopenmp\",])"),
        (Sets{{"-O3", "-march=native", "-fopenmp"}}));
    EXPECT_EQ(inline_build_flags("load_inline('a', S, extra_cflags=['-O2'])\n"
                                 "load_inline('b', S, extra_cflags=['-O3'])\n"
                                 "load_inline('c', S, extra_cflags=['-O2'])\n"),
              (Sets{{"-O2"}, {"-O3"}}));
}

TEST(InlineBuildFlags, NothingWhereItCannotBeTold) {
    for (const char* candidate : {
             "import ctypes",                                                        // no load_inline
             "load_inline('m', S, extra_cflags=FLAGS)",                              // known when it runs
             "load_inline('m', S, extra_cflags=['-O3', OTHER])",                     //
             "load_inline('m', 'torch::nn::Linear l;')",                             // wants what is left out
             "load_inline('m', 'using namespace torch; autograd::Function<F> f;')",  //
             "load_inline('m', S, extra_cflags=['-fplugin=evil.so'])",               // not on our side
             "load_inline('m', S, extra_cflags=['-include', 'x.h'])",                //
             "load_inline('m', S, extra_cflags=['-I/tmp/x'])",                       //
             "load_inline('m', S, extra_cflags=['-O3 -B/tmp/tools'])",               //
             "load_inline('m', S, extra_cflags=['@/tmp/more-flags'])",               //
             "load_inline('m', S, extra_cflags=['-wrapper', 'sh'])",                 //
             "load_inline('m', S, extra_cflags=['-Wp,-include,x'])",                 //
             "load_inline('m', S, extra_cflags=['-fmodule-header'])",                //
             "load_inline('m', S, extra_cflags=['-fsyntax-only'])",                  //
             "load_inline('m', S, extra_cflags=['-O1'])\n# extra_cflags=['-O2'] extra_cflags=['-O3']",  //
         })
        EXPECT_TRUE(inline_build_flags(candidate).empty()) << candidate;
}

TEST(HeaderCache, IsMadeOnceAndServesByCpath) {
    const Result<TemporaryDirectory> folder = TemporaryDirectory::create("/tmp", "kforge-headers-");
    ASSERT_TRUE(folder.ok());
    const fs::path headers = folder->path() / "headers";
    fs::create_directories(headers / "torch");
    std::ofstream(headers / "torch/extension.h") << "inline int precompiled() { return 41; }\n";
    HeaderCache cache(folder->path() / "cache", headers);
    const HeaderCache::Toolchain toolchain{"2.0", "c++17", {}, inherit_environment({"PATH"})};
    const std::string candidate = "load_inline('m', S, extra_cflags=['-O1'])";
    ASSERT_TRUE(cache.prepare("import ctypes", toolchain).ok());
    EXPECT_TRUE(cache.folder().empty());
    ASSERT_TRUE(cache.prepare(candidate, toolchain).ok());
    ASSERT_FALSE(cache.folder().empty());

    // The header itself is in no include folder: only the precompiled one can have been used.
    const fs::path source = folder->path() / "main.cpp";
    std::ofstream(source) << "#include <torch/extension.h>\nint main() { return precompiled() + 1; }\n";
    ProcessSpec compile;
    compile.environment = inherit_environment({"PATH"});
    compile.environment.push_back("CPATH=" + cache.folder().string());
    compile.argv = {"c++",
                    "-DTORCH_API_INCLUDE_EXTENSION_H",
                    "-DTORCH_EXTENSION_NAME=m",
                    "-fPIC",
                    "-std=c++17",
                    "-O1",
                    source.string(),
                    "-o",
                    (folder->path() / "main").string()};
    const Result<ProcessOutcome> built = run_process(compile);
    ASSERT_TRUE(built.ok() && built->status.success()) << (built.ok() ? built->err : built.error().message);
    ProcessSpec run;
    run.argv = {(folder->path() / "main").string()};
    EXPECT_EQ(run_process(run)->status.code, 42);

    // The second time it is there.
    std::ofstream(headers / "torch/extension.h") << "#error not again\n";
    ASSERT_TRUE(HeaderCache(folder->path() / "cache", headers).prepare(candidate, toolchain).ok());
    EXPECT_TRUE(run_process(compile)->status.success());
}

TEST(NeedsLittle, WhereNothingElseOfPyTorchIsNamed) {
    const std::set<std::string> operations = {"empty_like", "zeros"};
    const auto little = [&](const std::string& source) { return needs_little(source, operations); };
    EXPECT_TRUE(little(
        "#include <torch/extension.h>\n#include <ATen/Parallel.h>\n#include <cmath>\n"
        "torch::Tensor f(at::Tensor x) { TORCH_CHECK(x.dim() == 2); auto y = torch::empty_like(x);\n"
        "at::parallel_for(0, x.size(0), 1, [&](int64_t a, int64_t b) {}); return y.to(torch::kFloat32); }\n"
        "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {}"));
    for (const char* source : {
             "torch::fft_fft(x)",                     // an operation that is not there
             "at :: native::gelu(x)",                 //
             "using namespace torch; f(zeros({1}))",  // which names are PyTorch's cannot be told
             "#include <ATen/ATen.h>",                // would be read beside ours
             "#  include \"torch/torch.h\"",          //
             "TORCH_LIBRARY(m, l) {}",                // a macro that is not there
             "c10::List<int> l;",
         })
        EXPECT_FALSE(little(source)) << source;
}

TEST(NeedsLittle, ErrorsTellWhereThatWasNotEnough) {
    const Result<TemporaryDirectory> folder = TemporaryDirectory::create("/tmp", "kforge-headers-");
    ASSERT_TRUE(folder.ok());
    fs::create_directories(folder->path() / "ATen/ops");
    std::ofstream(folder->path() / "ATen/ops/softplus.h") << "";
    const auto lacks_header = [&](const std::string& errors) {
        return kforge::lacks_header(errors, {"/nowhere", folder->path().string()});
    };
    EXPECT_TRUE(lacks_header("main.cpp:3:5: error: ‘List’ is not a member of ‘c10’"));
    EXPECT_TRUE(lacks_header("main.cpp:3:5: error: ‘stack’ is not a member of ‘std’"));
    EXPECT_TRUE(lacks_header("error: invalid use of incomplete type ‘const at::Generator’"));
    EXPECT_TRUE(
        lacks_header("error: ‘tile’ was not declared in this scope\n"
                     "error: ‘softplus’ was not declared in this scope"));
    EXPECT_FALSE(lacks_header("error: ‘tile’ was not declared in this scope"));
    EXPECT_FALSE(
        lacks_header("error: too few arguments to function ‘torch::Tensor run(torch::Tensor, int)’"));
    EXPECT_FALSE(lacks_header("error: ‘x’ is not a member of ‘Tile’"));
}

TEST(HeaderCache, APartIsEnoughUntilItIsNot) {
    const Result<TemporaryDirectory> folder = TemporaryDirectory::create("/tmp", "kforge-headers-");
    ASSERT_TRUE(folder.ok());
    const fs::path headers = folder->path() / "headers";
    for (const char* part : {"torch", "kernels/torch", "tensors/torch"})
        fs::create_directories(headers / part);
    std::ofstream(headers / "torch/extension.h") << "inline int all;\n";
    std::ofstream(headers / "kernels/torch/extension.h") << "#include <torch/types.h>\n";
    std::ofstream(headers / "tensors/torch/types.h") << "// <ATen/ops/zeros.h>\ninline int part;\n";
    HeaderCache cache(folder->path() / "cache", headers);
    const HeaderCache::Toolchain toolchain{"2.0", "c++17", {}, inherit_environment({"PATH"})};
    const auto folder_for = [&](const std::string& candidate) {
        EXPECT_TRUE(cache.prepare(candidate, toolchain).ok());
        return cache.folder();
    };
    const fs::path part = folder_for("load_inline('m', 'torch::zeros')");
    const fs::path all = folder_for("load_inline('m', 'torch::ones')");
    EXPECT_NE(part, all);
    EXPECT_FALSE(cache.give_all("load_inline('m', 'torch::ones')"));
    EXPECT_TRUE(cache.give_all("load_inline('m', 'torch::zeros')"));
    EXPECT_FALSE(cache.give_all("load_inline('m', 'torch::zeros')"));
    EXPECT_EQ(folder_for("load_inline('m', 'torch::zeros')"), all);
    EXPECT_EQ(folder_for("load_inline('n', 'torch::zeros')"), part);

    // Those of compilers that are gone do not stay for ever.
    for (int i = 0; i < 20; ++i)
        fs::create_directories(folder->path() / "cache/headers" / std::to_string(i) / "torch");
    for (const fs::path& used : {part, all}) fs::last_write_time(used, fs::file_time_type::min());
    EXPECT_EQ(folder_for("load_inline('n', 'torch::zeros')"), part);
    EXPECT_TRUE(fs::exists(part));
    EXPECT_FALSE(fs::exists(all));
}

TEST(HeaderCache, AHeaderThatDoesNotCompileIsNoError) {
    const Result<TemporaryDirectory> folder = TemporaryDirectory::create("/tmp", "kforge-headers-");
    ASSERT_TRUE(folder.ok());
    fs::create_directories(folder->path() / "torch");
    std::ofstream(folder->path() / "torch/extension.h") << "#error no such PyTorch\n";
    HeaderCache cache(folder->path() / "cache", folder->path());
    EXPECT_TRUE(
        cache.prepare("load_inline('m', S)", {"2.0", "c++17", {}, inherit_environment({"PATH"})}).ok());
}

// The script that PYTORCH_NVCC names, and a compiler that writes down how it was called.
class NvccScript : public testing::Test {
  protected:
    void SetUp() override {
        ASSERT_TRUE(m_folder.ok());
        fs::create_directories(m_folder->path() / "bin");
    }
    ProcessOutcome call(const std::string& compiler) {
        const fs::path nvcc = m_folder->path() / "bin/nvcc";
        std::ofstream(nvcc) << "#!/bin/sh\necho \"called $*\"\n" << compiler;
        fs::permissions(nvcc, fs::perms::owner_all);
        ProcessSpec spec;
        spec.argv = {"sh", m_headers + "/nvcc", "-c", "a file.cu"};
        spec.environment = inherit_environment({"PATH"});
        spec.environment.push_back("CUDA_HOME=" + m_folder->path().string());
        return *run_process(spec);
    }
    const std::string m_headers = KFORGE_SOURCE_DIR "/python/kforge_arena/headers";
    Result<TemporaryDirectory> m_folder = TemporaryDirectory::create("/tmp", "kforge-nvcc-");
};

TEST_F(NvccScript, TriesLessOfTheHeadersFirst) {
    const ProcessOutcome built = call("echo 'a warning' >&2\n");
    EXPECT_TRUE(built.status.success());
    EXPECT_EQ(built.out, "called --threads 2 -I" + m_headers + "/tensors -c a file.cu\na warning\n");
    EXPECT_TRUE(fs::exists(m_headers + "/tensors/torch/types.h"));
}

TEST_F(NvccScript, FallsBackOnAllOfThem) {
    const ProcessOutcome built = call("[ \"$1\" = -c ] || { echo 'no py::object'; exit 2; }\n");
    EXPECT_TRUE(built.status.success());
    EXPECT_EQ(built.out, "called -c a file.cu\n");
}

TEST_F(NvccScript, TellsWhatTheWholeBuildSaid) {
    const ProcessOutcome built = call("echo \"error in $1\" >&2\nexit 2\n");
    EXPECT_EQ(built.status.code, 2);
    EXPECT_EQ(built.err, "error in -c\n");
}

}  // namespace
}  // namespace kforge
