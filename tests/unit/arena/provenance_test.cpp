// The candidate's own library is here a copy of the C library's mathematics, in a folder of the test.
#include "kforge/arena/provenance.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <thread>

#include "kforge/arena/sampler.hpp"
#include "kforge/util/fs.hpp"
#include "kforge/util/interrupt.hpp"

namespace kforge {
namespace {

using namespace std::chrono_literals;

fs::path mathematics() {
    Dl_info info{};
    int (*const function)(double) = &::ilogb;
    return ::dladdr(reinterpret_cast<void*>(function), &info) != 0 ? info.dli_fname : "";
}

TEST(Provenance, FindsWhatALibraryOffers) {
    const Result<std::string> image = read_file(mathematics());
    ASSERT_TRUE(image.ok());
    const std::vector<uint64_t> functions = offered_functions(*image);
    EXPECT_GT(functions.size(), 100u);
    for (const uint64_t offset : functions) ASSERT_LT(offset, image->size());
}

TEST(Provenance, NoFileCanConfuseIt) {
    std::string image = *read_file(mathematics());
    for (const std::string& other : {std::string(), std::string("x"), std::string(10'000, '\xff'),
                                     image.substr(0, 64), image.substr(0, image.size() / 2)})
        EXPECT_TRUE(offered_functions(other).empty());
    // Any number in the header may be a lie.
    for (size_t i = 16; i < 64; ++i) {
        std::string changed = image;
        changed[i] = '\xff';
        for (const uint64_t offset : offered_functions(changed)) ASSERT_LE(offset, uint64_t{1} << 40) << i;
    }
}

size_t disable(pid_t pid, const fs::path& scratch, uint8_t value) {
    const Result<Disabled> disabled = disable_own_functions({pid}, scratch.string(), value, deadline_in(60));
    EXPECT_TRUE(disabled.ok() && !disabled->beyond_bounds);
    return disabled.ok() ? disabled->functions : 0;
}

struct Shared {
    std::atomic<int> result = 0;
    std::atomic<uint64_t> calls = 0;
};

TEST(Provenance, DisabledFunctionsReturnAtOnce) {
    const Result<TemporaryDirectory> folder =
        TemporaryDirectory::create(fs::temp_directory_path(), "provenance-");
    ASSERT_TRUE(folder.ok());
    const fs::path library = folder->path() / "own.so";
    fs::copy_file(mathematics(), library);
    void* const memory =
        ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    Shared& shared = *new (memory) Shared;
    const pid_t pid = ::fork();
    if (pid == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        void* const own = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
        const auto function =
            own == nullptr ? nullptr : reinterpret_cast<int (*)(double)>(::dlsym(own, "ilogb"));
        if (function == nullptr) ::_exit(1);
        for (volatile double eight = 8;;) {
            shared.result = function(eight);
            ++shared.calls;
        }
    }
    const auto call = [&] {
        for (const uint64_t before = shared.calls; shared.calls < before + 2;)
            std::this_thread::sleep_for(1ms);
        return shared.result.load();
    };
    Freezer processes(pid, Freezer::Root::player);
    EXPECT_EQ(call(), 3);
    ASSERT_TRUE(processes.freeze());
    if (may_sample(pid)) {
        EXPECT_EQ(disable(pid, "/no/such/folder", 1), 0u);
        EXPECT_GT(disable(pid, folder->path(), 1), 0u);
        processes.thaw();
        EXPECT_EQ(call(), 1);
        ASSERT_TRUE(processes.freeze());
        EXPECT_GT(disable(pid, folder->path(), 0), 0u);
        processes.thaw();
        EXPECT_EQ(call(), 0);
    }
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    ::munmap(memory, sizeof(Shared));
}

// Stands still, and has a file of that size mapped so often that none of its mappings joins another.
class Mapper {
  public:
    Mapper(const fs::path& file, off_t size, int times) {
        int ready[2];
        EXPECT_EQ(::pipe(ready), 0);
        m_pid = ::fork();
        if (m_pid == 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            const int fd = ::open(file.c_str(), O_RDWR | O_CREAT, 0700);
            bool all = ::ftruncate(fd, size) == 0;
            for (int i = 0; i < times; ++i)
                all &= ::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) != MAP_FAILED;
            all &= ::write(ready[1], "x", 1) == 1;
            for (; all;) ::pause();
            ::_exit(1);
        }
        ::close(ready[1]);
        char byte = 0;
        EXPECT_EQ(::read(ready[0], &byte, 1), 1);
        ::close(ready[0]);
    }
    ~Mapper() {
        ::kill(m_pid, SIGKILL);
        ::waitpid(m_pid, nullptr, 0);
    }
    pid_t pid() const { return m_pid; }

  private:
    pid_t m_pid = -1;
};

class ProvenanceOfMany : public ::testing::Test {
  protected:
    ~ProvenanceOfMany() override { set_interrupted_for_test(false); }
    fs::path scratch() const { return m_folder.value().path(); }
    Result<Disabled> disable(const Mapper& mapper, Deadline deadline) const {
        return disable_own_functions({mapper.pid()}, scratch().string(), 0, deadline);
    }

  private:
    Result<TemporaryDirectory> m_folder =
        TemporaryDirectory::create(fs::temp_directory_path(), "provenance-");
};

TEST_F(ProvenanceOfMany, AFileIsReadOnceInHoweverManyPlacesItIsMapped) {
    const Mapper mapper(scratch() / "own.so", off_t{200} << 20, 50);
    const Result<Disabled> disabled = disable(mapper, deadline_in(60));
    ASSERT_TRUE(disabled.ok()) << disabled.error().message;
    EXPECT_FALSE(disabled->beyond_bounds) << "ten gigabytes, if it were not so";
}

TEST_F(ProvenanceOfMany, WhatNoKernelNeedsIsBeyondTheBounds) {
    const Mapper mapper(scratch() / "own.so", 4096, 5000);
    const Result<Disabled> disabled = disable(mapper, deadline_in(60));
    ASSERT_TRUE(disabled.ok()) << disabled.error().message;
    EXPECT_TRUE(disabled->beyond_bounds);
}

TEST_F(ProvenanceOfMany, ItEndsAtItsDeadlineAndWhenItIsInterrupted) {
    const Mapper mapper(scratch() / "own.so", 4096, 1);
    const Result<Disabled> late = disable(mapper, deadline_in(-1));
    ASSERT_FALSE(late.ok());
    EXPECT_EQ(late.error().kind, ErrorKind::timeout);
    set_interrupted_for_test(true);
    const Result<Disabled> stopped = disable(mapper, deadline_in(60));
    ASSERT_FALSE(stopped.ok());
    EXPECT_EQ(stopped.error().kind, ErrorKind::cancelled);
}

}  // namespace
}  // namespace kforge
