#include "kforge/cli/terminal.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <nlohmann/json.hpp>

#include "kforge/cli/table.hpp"
#include "kforge/util/errors.hpp"
#include "kforge/util/fd.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view k_erase = "\r\x1b[2K";
const std::string k_erase_above = "\x1b[1A\x1b[2K";

// A file in memory that stands for a stream.
class Stream {
  public:
    Stream() : m_fd(::memfd_create("stream", 0)) {}
    int fd() const { return m_fd.get(); }
    std::string text() const {
        std::string content(static_cast<size_t>(::lseek(m_fd.get(), 0, SEEK_CUR)), '\0');
        EXPECT_EQ(::pread(m_fd.get(), content.data(), content.size(), 0),
                  static_cast<ssize_t>(content.size()));
        return content;
    }

  private:
    Fd m_fd;
};

struct Streams {
    Stream out;
    Stream err;
    TerminalOptions options(Progress progress, bool json = false) const {
        TerminalOptions options;
        options.out_fd = out.fd();
        options.err_fd = err.fd();
        options.progress = progress;
        options.json = json;
        options.width = 60;
        return options;
    }
};

// What a terminal shows after these bytes: one string per line.
std::vector<std::string> screen(const std::string& bytes) {
    std::vector<std::string> lines = {""};
    for (size_t i = 0; i < bytes.size(); ++i) {
        if (bytes.compare(i, k_erase.size(), k_erase) == 0) {
            lines.back().clear();
            i += k_erase.size() - 1;
        } else if (bytes.compare(i, k_erase_above.size(), k_erase_above) == 0) {
            lines.pop_back();
            lines.back().clear();
            i += k_erase_above.size() - 1;
        } else if (bytes[i] == '\n') {
            lines.emplace_back();
        } else {
            lines.back() += bytes[i];
        }
    }
    return lines;
}

IterationSummary correct_iteration() {
    IterationSummary summary;
    summary.iteration = 2;
    summary.total = 5;
    summary.pass = "optimization";
    summary.speedup = Interval{1.844, 1.79, 1.9};
    summary.best = true;
    return summary;
}

TEST(StatusLine, SaysIterationPhaseElapsedAndBest) {
    Status status;
    status.phase = "reading the problem";
    EXPECT_EQ(render_status(status, 0, 80, {false, false}), "| reading the problem | 0:00");
    status.iteration = 3;
    status.total = 5;
    status.phase = "building";
    status.elapsed = 102s;
    EXPECT_EQ(render_status(status, 0, 80, {}), "⠹ iteration 3/5 · building · 1:42");
    status.best = 1.844;
    status.usd = 0.126;
    status.received = 12345;
    EXPECT_EQ(render_status(status, 1, 80, {}),
              "⠸ iteration 3/5 · building (12.3 kB) · 1:42 · best 1.84x · $0.13");
}

TEST(StatusLine, FitsTheWidth) {
    Status status;
    status.iteration = 3;
    status.total = 5;
    status.phase = "a phase with a long name";
    status.best = 2;
    for (size_t width = 1; width < 60; ++width) {
        EXPECT_LE(display_width(render_status(status, 0, width, {true, true})), width);
    }
    EXPECT_EQ(render_status(status, 0, 20, {}), "⠹ iteration 3/5 · a…");
}

TEST(StatusLine, ElapsedTurnsToHours) {
    EXPECT_EQ(render_elapsed(7s), "0:07");
    EXPECT_EQ(render_elapsed(3723s), "1:02:03");
}

TEST(IterationLine, ShowsSpeedupOrWhyThereIsNone) {
    EXPECT_EQ(render_iteration(correct_iteration(), 0, {}),
              "2/5  optimization  correct  1.84x [1.79, 1.90]  best");
    IterationSummary failed;
    failed.iteration = 1;
    failed.total = 5;
    failed.pass = "functional";
    failed.state = State::mismatch;
    failed.reason = Reason::values;
    failed.evidence = "3 of 8 rows differ";
    EXPECT_EQ(render_iteration(failed, 0, {}), "1/5  functional    mismatch (values): 3 of 8 rows differ");
    EXPECT_NE(render_iteration(failed, 0, {true, true}).find("\x1b[31mmismatch"), std::string::npos);
}

TEST(IterationLine, FitsTheWidthAndALogLineHasAnEndToo) {
    IterationSummary failed = correct_iteration();
    failed.state = State::mismatch;
    failed.evidence = std::string(500, 'x');
    EXPECT_EQ(display_width(render_iteration(failed, 60, {true, true})), 60u);
    EXPECT_LT(display_width(render_iteration(failed, 0, {})), 200u);
    EXPECT_EQ(render_recommendation(2, 5, "Vectorize the inner loop", 30), "2/5  analysis      Vectorize …");
    EXPECT_EQ(render_recommendation(2, 5, "Vectorize the inner loop", 0),
              "2/5  analysis      Vectorize the inner loop");
}

TEST(TerminalOutput, ResultsGoToStandardOutputAndProgressToStandardError) {
    Streams streams;
    {
        Terminal terminal(streams.options(Progress::lines));
        terminal.on_phase(0, 5, "reading the problem");
        terminal.on_phase(1, 5, "building");
        terminal.on_phase(1, 5, "building");
        terminal.on_note("careful \x1b[2Jthere");
        terminal.on_iteration_done(correct_iteration());
        terminal.on_recommendation(2, 5, "Vectorize \x1b[2Jit");
        terminal.print("the table\n");
    }
    EXPECT_EQ(streams.out.text(), "the table\n");
    EXPECT_EQ(streams.err.text(),
              "reading the problem\niteration 1/5: building\ncareful there\n"
              "2/5  optimization  correct  1.84x [1.79, 1.90]  best\n"
              "2/5  analysis      Vectorize it\n");
}

TEST(TerminalOutput, UnderJsonStandardOutputHoldsOneObjectAlone) {
    Streams streams;
    {
        Terminal terminal(streams.options(Progress::lines, true));
        terminal.print("the table\n");
        terminal.on_note("a note");
        terminal.print_json({{"state", "correct"}, {"text", "bad \xff byte"}});
    }
    EXPECT_EQ(streams.err.text(), "the table\na note\n");
    EXPECT_EQ(nlohmann::json::parse(streams.out.text())["state"], "correct");
}

TEST(TerminalOutput, QuietShowsResultsOnly) {
    Streams streams;
    {
        Terminal terminal(streams.options(Progress::none));
        terminal.on_phase(1, 5, "building");
        terminal.on_note("a note");
        terminal.on_iteration_done(correct_iteration());
        terminal.print("the table\n");
    }
    EXPECT_EQ(streams.err.text(), "");
    EXPECT_EQ(streams.out.text(), "the table\n");
}

TEST(TerminalOutput, LinesStandAboveTheStatusLineWhichLeavesNothingBehind) {
    Streams streams;
    {
        Terminal terminal(streams.options(Progress::live));
        terminal.on_phase(1, 5, "building");
        terminal.on_note("first");
        terminal.on_iteration_done(correct_iteration());
        const auto shown = screen(streams.err.text());
        ASSERT_EQ(shown.size(), 3u);
        EXPECT_EQ(shown[0], "first");
        EXPECT_NE(shown[2].find("iteration 1/5 · building"), std::string::npos);
        EXPECT_NE(shown[2].find("best 1.84x"), std::string::npos);
    }
    const auto left = screen(streams.err.text());
    ASSERT_EQ(left.size(), 3u);
    EXPECT_EQ(left[2], "");
}

TEST(TerminalOutput, RunsBesideEachOtherHaveALineEach) {
    Streams streams;
    {
        Terminal terminal(streams.options(Progress::live));
        terminal.on_phase(0, 0, "1 of 3 runs are over");
        const auto one = terminal.lane("01-p");
        auto other = terminal.lane("02-q");
        one->on_phase(1, 5, "building");
        other->on_phase(2, 5, "asking");
        other->on_note("careful");
        auto shown = screen(streams.err.text());
        ASSERT_EQ(shown.size(), 4u);
        EXPECT_EQ(shown[0], "02-q: careful");
        EXPECT_NE(shown[1].find("1 of 3 runs are over"), std::string::npos);
        EXPECT_NE(shown[2].find("01-p · iteration 1/5 · building"), std::string::npos);
        EXPECT_NE(shown[3].find("02-q · iteration 2/5 · asking"), std::string::npos);
        other.reset();
        shown = screen(streams.err.text());
        ASSERT_EQ(shown.size(), 3u);
        EXPECT_NE(shown[2].find("01-p"), std::string::npos);
        one->on_iteration_done(correct_iteration());
        EXPECT_NE(screen(streams.err.text())[1].find("01-p: 2/5  optimization  correct"), std::string::npos);
    }
    const auto left = screen(streams.err.text());
    ASSERT_EQ(left.size(), 3u);
    EXPECT_EQ(left[2], "");
}

TEST(TerminalOutput, AwayFromATtyTheLinesOfRunsCarryTheirNames) {
    Streams streams;
    Terminal terminal(streams.options(Progress::lines));
    terminal.lane("01-p")->on_phase(1, 5, "building");
    EXPECT_EQ(streams.err.text(), "01-p: iteration 1/5: building\n");
}

TEST(TerminalOutput, AResultErasesTheStatusLineBeforeItIsWritten) {
    Streams streams;
    TerminalOptions options = streams.options(Progress::live);
    options.out_fd = options.err_fd;  // one screen for both
    {
        Terminal terminal(options);
        terminal.on_phase(1, 5, "building");
        terminal.print("result\n");
        terminal.stop_progress();
        terminal.print("end\n");
    }
    EXPECT_EQ(screen(streams.err.text()), (std::vector<std::string>{"result", "end", ""}));
}

TEST(TerminalOutput, AFullDiskIsAnErrorOfTheEnvironment) {
    const Fd full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
    if (!full) GTEST_SKIP() << "no /dev/full here";
    TerminalOptions options;
    options.out_fd = full.get();
    Terminal terminal(options);
    try {
        terminal.print("lost\n");
        FAIL() << "went unnoticed";
    } catch (const Fatal& error) {
        EXPECT_EQ(error.code(), ExitCode::environment);
    }
}

TEST(TerminalOutput, NothingIsLiveOrColouredAwayFromATty) {
    UserEnvironment environment;
    environment.term = "xterm";
    if (::isatty(1) || ::isatty(2)) GTEST_SKIP() << "the tests run on a terminal";
    const TerminalOptions options = TerminalOptions::detect(environment);
    EXPECT_EQ(options.progress, Progress::lines);
    EXPECT_FALSE(options.color_out || options.color_err);
}

}  // namespace
}  // namespace kforge
