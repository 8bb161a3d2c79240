// What the tests of the providers share: a temporary folder, scripts in it, and the kinds of an outcome.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "kforge/llm/provider.hpp"
#include "kforge/util/fs.hpp"

namespace kforge {

class LlmTest : public ::testing::Test {
  protected:
    const fs::path& folder() const { return m_folder.path(); }

    fs::path write(const std::string& name, const std::string& content) const {
        const fs::path path = folder() / name;
        fs::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << content;
        return path;
    }

    // A program whose body is a shell script.
    fs::path program(const std::string& name, const std::string& script) const {
        const fs::path path = write(name, "#!/bin/sh\n" + script + "\n");
        fs::permissions(path, fs::perms::owner_all);
        return path;
    }

    static std::string content(const fs::path& path) {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

  private:
    TemporaryDirectory m_folder =
        TemporaryDirectory::create(fs::temp_directory_path(), "kforge-llm-").value();
};

inline LlmRequest generation(int iteration, std::string prompt = "Write a kernel.") {
    return {.agent = "generation", .iteration = iteration, .system = "You write kernels.", .prompt = prompt};
}
inline LlmRequest analysis(int iteration, std::string prompt = "Read the profile.") {
    return {.agent = "analysis", .iteration = iteration, .system = "You read profiles.", .prompt = prompt};
}

template <typename Kind>
Kind expect(const Result<LlmOutcome>& outcome) {
    if (!outcome.ok()) {
        ADD_FAILURE() << "error: " << outcome.error().message;
        return {};
    }
    if (const Kind* kind = std::get_if<Kind>(&*outcome)) return *kind;
    ADD_FAILURE() << "another kind of outcome: " << outcome->index();
    return {};
}

inline Error expect_error(const Result<LlmOutcome>& outcome) {
    if (!outcome.ok()) return outcome.error();
    ADD_FAILURE() << "no error, but an outcome of kind " << outcome->index();
    return {ErrorKind::internal, ""};
}

}  // namespace kforge
