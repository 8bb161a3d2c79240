#include "kforge/arena/environments.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

namespace kforge {
namespace {

// The same on both sides of the race. Threads that spin at a barrier for long steal the core from whoever is
// to arrive there next as soon as a machine is busy. But those that sleep at once are woken up for each
// operator of a chain, which can take longer than to compute it: a baseline that does so is twice as slow as
// anywhere else, and anything that starts fewer threads seems to be faster. So they spin for as long as it
// takes from one operator to the next, some tens of microseconds. Freed memory is kept: otherwise the page
// faults of large outputs, twice the work of a kernel, fall on one side by chance.
void add_running_conditions(Environment& environment) {
    environment.push_back("OMP_WAIT_POLICY=PASSIVE");  // of other libraries than GNU's
    environment.push_back("GOMP_SPINCOUNT=1000");
    environment.push_back("MALLOC_TRIM_THRESHOLD_=1073741824");
    environment.push_back("MALLOC_MMAP_THRESHOLD_=1073741824");
    environment.push_back("OPENBLAS_NUM_THREADS=1");
}

}  // namespace

Environment trusted_environment(const fs::path& cache) {
    Environment environment = inherit_environment({"PATH", "HOME", "LANG", "LC_*", "LD_LIBRARY_PATH",
                                                   "PYTHONPATH", "VIRTUAL_ENV", "TMPDIR", "CUDA_*", "USER"});
    add_running_conditions(environment);
    environment.push_back("TORCHINDUCTOR_COMPILE_THREADS=1");
    // What the processor says of itself is enough: trying each instruction set by building programs takes
    // seven seconds of the first evaluation.
    environment.push_back("TORCHINDUCTOR_VEC_ISA_OK=1");
    if (!cache.empty()) environment.push_back("TORCHINDUCTOR_CACHE_DIR=" + (cache / "inductor").string());
    return environment;
}

Environment nursery_environment() {
    // Which GPU is the first one, and how it is reached, must be the same for players as for the others.
    Environment environment =
        inherit_environment({"PATH", "LD_LIBRARY_PATH", "PYTHONPATH", "CUDA_HOME", "CUDA_VISIBLE_DEVICES",
                             "CUDA_DEVICE_ORDER", "CUDA_MPS_PIPE_DIRECTORY"});
    environment.push_back("LANG=C.UTF-8");
    environment.push_back("USER=player");
    environment.push_back("CCACHE_DISABLE=1");  // it would begin empty, and does without precompiled headers
    add_running_conditions(environment);
    return environment;
}

Environment player_environment(int threads) {
    Environment environment = nursery_environment();
    environment.push_back(fmt::format("OMP_NUM_THREADS={}", threads));
    environment.push_back("PYTHONDONTWRITEBYTECODE=1");
    return environment;
}

void inherit(Environment& environment, const std::vector<std::string>& names) {
    for (std::string& variable : inherit_environment(names)) environment.push_back(std::move(variable));
}

void limit_queues(Environment& environment, const std::string& source) {
    // Recurrent layers of cuDNN have streams of their own.
    static const RE2 k_streams(
        R"(\bStream\s*\(|ExternalStream|StreamCreate|StreamFromPool|[gG]raph|cudnn|RNN|LSTM|GRU)");
    if (!RE2::PartialMatch(source, k_streams)) environment.push_back("CUDA_DEVICE_MAX_CONNECTIONS=1");
}

nlohmann::json environment_json(const Environment& environment) {
    nlohmann::json object = nlohmann::json::object();
    for (const std::string& entry : environment) {
        const size_t equals = entry.find('=');
        object[entry.substr(0, equals)] = entry.substr(equals + 1);
    }
    return object;
}

}  // namespace kforge
