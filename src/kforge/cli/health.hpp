// What an evaluation needs of this machine, checked one by one.
#pragma once

#include <string>
#include <vector>

#include "kforge/cli/config.hpp"
#include "kforge/cli/paths.hpp"

namespace kforge {

enum class Health {
    ok,
    weak,     // KForge runs, with less protection or speed
    missing,  // evaluations cannot run
};

struct Check {
    std::string name;
    Health health = Health::ok;
    std::string detail;
    std::string mend;  // the command or act that mends it
};

struct DoctorInput {
    const UserEnvironment& environment;
    fs::path directory;  // where runs/ would be made
    fs::path cache;
    Result<PythonChoice> python;
};

std::vector<Check> check_machine(const DoctorInput& input);
// What a report of a Python means for KForge.
std::vector<Check> judge_python(const PythonChoice& python, const PythonReport& report);

bool is_healthy(const std::vector<Check>& checks);

}  // namespace kforge
