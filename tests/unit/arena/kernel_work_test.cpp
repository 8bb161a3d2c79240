#include "kforge/arena/kernel_work.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>

#include "kforge/arena/freezer.hpp"

namespace kforge {
namespace {

TEST(KernelWork, IsNoMoreThanProcessorsHaveHad) {
    const auto start = std::chrono::steady_clock::now();
    KernelWork work;
    const std::optional<double> ms = work.ms();
    if (!ms) GTEST_SKIP() << "threads of the kernel are not seen here, or one has just ended";
    EXPECT_GE(*ms, 0);
    // One that runs now is told about a tick later.
    const double had_ms = milliseconds_between(start, std::chrono::steady_clock::now()) + 20;
    EXPECT_LE(*ms, had_ms * static_cast<double>(::sysconf(_SC_NPROCESSORS_CONF)));
}

TEST(KernelWork, IsToldOnce) {
    KernelWork work;
    if (!work.ms()) GTEST_SKIP() << "threads of the kernel are not seen here, or one has just ended";
    const auto start = std::chrono::steady_clock::now();
    double total_ms = 0;
    for (int i = 0; i < 50; ++i) total_ms += work.ms().value_or(0);
    const double had_ms = milliseconds_between(start, std::chrono::steady_clock::now()) + 20;
    EXPECT_LE(total_ms, had_ms * static_cast<double>(::sysconf(_SC_NPROCESSORS_CONF)));
}

}  // namespace
}  // namespace kforge
