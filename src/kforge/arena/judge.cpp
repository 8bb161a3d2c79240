#include "kforge/arena/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>

#include "kforge/arena/evidence.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

constexpr size_t k_message_limit = 4000;       // a prompt pays for every character
constexpr double k_epsilon_of_half = 1e-4;     // and of bfloat16, at least
constexpr double k_epsilon_of_double = 1e-12;  // at most
// In double precision nobody knows how wrong eager is, and no lower precision is anywhere near.
constexpr double k_allowance_for_double = 64;

// Of nearly all values a few rows decide, such as those whose sums nearly cancel out: which these are depends
// on the order of a sum.
constexpr double k_nearly_all = 0.95, k_by_chance = 4;

double unit_of(double epsilon) {
    return epsilon < k_epsilon_of_double ? k_allowance_for_double * epsilon : epsilon;
}

// In half precision units are large, and what adds up before the result is rounded is small beside them.
double unit_of_error(double epsilon) {
    return epsilon > k_epsilon_of_half ? epsilon / 16 : unit_of(epsilon);
}

bool has_type(const Fault& fault, std::string_view name) {
    return std::find(fault.types.begin(), fault.types.end(), name) != fault.types.end();
}

bool says(const Fault& fault, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return fault.message.find(word) != std::string::npos; });
}

bool ran_out_of_memory(const Fault& fault) {
    return has_type(fault, "MemoryError") || has_type(fault, "OutOfMemoryError") ||
           says(fault, {"can't allocate memory", "Cannot allocate memory", "CUDA error: out of memory",
                        "CUDA_ERROR_OUT_OF_MEMORY", "cudaErrorMemoryAllocation", "[CUDA]: out of memory"});
}

// What the driver of a GPU says of a kernel that it had to end, or could not begin.
bool device_failed(const Fault& fault) {
    return has_type(fault, "DSLCudaRuntimeError") ||  // of CuTe
           says(fault, {"CUDA error: ", "CUDA_ERROR_",
                        "Triton Error [CUDA]: ", "HIP error: ", "Triton Error [HIP]: ", "UR_RESULT_ERROR_"});
}

// CuTe refuses what it cannot trace or compile; its message names the line. What it raises when it runs is
// left out.
bool cute_refused(const Fault& fault) {
    return has_type(fault, "DSLBaseError") && !has_type(fault, "DSLCudaRuntimeError") &&
           !says(fault, {"Runtime Crash"});
}

bool compiler_failed(const Fault& fault, const std::string& printed) {
    // Triton raises CompilationError; programs that call a compiler raise CalledProcessError or pass
    // its diagnostics on in the message or on standard error.
    return has_type(fault, "CompilationError") || looks_like_compiler_output(fault.message) ||
           (has_type(fault, "CalledProcessError") && looks_like_compiler_output(printed)) ||
           fault.message.find("Error building extension") != std::string::npos;
}

std::string with_output(std::string evidence, const std::string& printed) {
    if (trim(printed).empty()) return evidence;
    return evidence + "\nIt printed:\n" + elide_middle(trim(printed), 2000);
}

Verdict judge_refusal(const Fault& fault, const std::string& doing, const std::string& printed,
                      const std::string& source) {
    const std::string message = elide_middle(fault.message, k_message_limit);
    if (fault.stage == "syntax") return Verdict::because(Reason::syntax, message);
    if (fault.stage == "missing") return Verdict::because(Reason::import, message);
    if (fault.stage == "weights") return Verdict::because(Reason::exception, message);
    if (fault.stage == "form") return Verdict::because(Reason::shape, message);
    if (fault.stage == "output") return Verdict::because(Reason::integrity, message);
    if (ran_out_of_memory(fault))
        return Verdict::because(Reason::out_of_memory, doing + ":\n" + traceback_evidence(fault.message));
    // Kernels are often built when they are first used, so a compiler may fail at any stage.
    if (compiler_failed(fault, printed))
        return Verdict::because(Reason::toolchain, compiler_evidence(fault.message + "\n" + printed, source));
    if (cute_refused(fault))
        return Verdict::because(Reason::toolchain, doing + ":\n" + traceback_evidence(fault.message));
    if (device_failed(fault))
        return Verdict::because(Reason::device_fault,
                                with_output(doing + ":\n" + traceback_evidence(fault.message), printed));
    const Reason reason = fault.stage == "import" ? Reason::import : Reason::exception;
    return Verdict::because(reason, with_output(doing + ":\n" + traceback_evidence(fault.message), printed));
}

Verdict judge_death(const Fault& fault, const std::string& doing, const std::string& printed) {
    if (fault.out_of_memory)
        return Verdict::because(
            Reason::out_of_memory,
            with_output(fmt::format("Its processes took more memory than they may while {}.", doing),
                        printed));
    if (fault.out_of_files)
        return Verdict::because(
            Reason::out_of_memory,
            with_output(fmt::format("Its processes held more open files and mappings of files than they may "
                                    "where the machine's table of open files fills up, while {}.",
                                    doing),
                        printed));
    std::string what = fmt::format("The process ended with {} while {}", fault.status.describe(), doing);
    if (fault.status.signal == 0) what += ": a candidate must not end its own process";
    return Verdict::because(Reason::crash, with_output(what + ".", printed));
}

}  // namespace

Comparison comparison_from_json(const nlohmann::json& json, Precision precision) {
    Comparison c;
    c.outcome = json.value("outcome", "");
    c.evidence = json.value("evidence", "");
    c.stable = json.value("stable", true);
    c.bound = json.value("bound", false);
    // Of several outputs the one that is the furthest from what itself may be wrong by, or the nearest to it.
    for (const nlohmann::json& item : json.value("errors", nlohmann::json::array())) {
        Comparison output = c;
        output.error = item.value("error", 0.0);
        output.eager_error = item.value("eager_error", 0.0);
        output.half_error = item.value("half_error", 0.0);
        output.epsilon = item.value("epsilon", 0.0);
        output.where = item.value("where", "");
        c.shares.push_back(output.error /
                           usual_limit(item.value("eager_alone", output.eager_error), output.epsilon));
        if (c.epsilon == 0 ||
            output.error / error_limit(output, precision) > c.error / error_limit(c, precision)) {
            output.shares = std::move(c.shares);
            c = std::move(output);
        }
    }
    for (const nlohmann::json& item : json.value("spread", nlohmann::json::array())) {
        const Spread spread{item.value("share", 0.0), item.value("error", 0.0),
                            item.value("eager_error", 0.0), item.value("half_error", 0.0),
                            item.value("epsilon", 0.0)};
        if (!c.spread || spread.error / spread_limit(spread, precision) >
                             c.spread->error / spread_limit(*c.spread, precision))
            c.spread = spread;
    }
    return c;
}

double usual_limit(double eager_error, double epsilon) {
    return std::max(1.25 * eager_error, 8 * unit_of_error(epsilon));
}

double error_limit(const Comparison& c, Precision precision) {
    // Eager is sometimes exact by luck or by doing nothing: each policy has a floor in units of the dtype.
    switch (precision) {
        case Precision::accurate:
            if (c.bound) return usual_limit(c.eager_error, c.epsilon);
            [[fallthrough]];
        case Precision::strict:
            return std::max(4 * c.eager_error, 64 * unit_of_error(c.epsilon));
        case Precision::mixed:
            return std::max({4 * c.half_error, 4 * c.eager_error, 1e-3});
    }
    return 0;
}

// Most values say more than the largest: an honest order of a sum is found far below these floors, a lower
// precision far above them.
double spread_limit(const Spread& spread, Precision precision) {
    const bool half = spread.epsilon > k_epsilon_of_half;
    const double unit = unit_of(spread.epsilon);
    const double eager_error = (spread.share > k_nearly_all ? k_by_chance : 1) * spread.eager_error;
    switch (precision) {
        case Precision::strict:
            return std::max(4 * eager_error, (half ? 1 : 64) * unit);
        case Precision::accurate:
            return std::max(2 * eager_error, (half ? 0.5 : 8) * unit);
        case Precision::mixed:
            return std::max({4 * spread.half_error, 4 * spread.eager_error, 1e-3});
    }
    return 0;
}

// What a policy allows is not what to look for.
const char* suspicion(Precision precision) {
    return precision == Precision::mixed
               ? "in bf16 (8 times as coarse as fp16, which is what is meant here), or added up in half "
                 "precision"
               : "in a lower precision than the reference's, or a long sum added up in one accumulator";
}

std::optional<Verdict> judge_comparison(const Comparison& c, const std::string& case_name, bool by_policy,
                                        Precision precision) {
    const std::string prefix = fmt::format("case '{}': ", case_name);
    if (c.outcome == "inputs") return Verdict::because(Reason::integrity, prefix + c.evidence);
    if (c.outcome == "shape") return Verdict::because(Reason::shape, prefix + c.evidence);
    if (c.outcome == "dtype") return Verdict::because(Reason::dtype, prefix + c.evidence);
    if (c.outcome == "non_finite") return Verdict::because(Reason::non_finite, prefix + c.evidence);
    if (!c.stable || (by_policy && c.outcome == "values"))
        return Verdict::because(
            Reason::values,
            fmt::format(
                "{}{}\nlargest error against fp64, relative to the largest value: {:.3g} (eager: {:.3g})",
                prefix, c.evidence, c.error, c.eager_error));
    if (by_policy && c.error > error_limit(c, precision))
        return Verdict::because(
            Reason::values,
            fmt::format("{}values are within KernelBench's tolerance, but the largest error against fp64 is "
                        "{:.3g} of "
                        "the largest value; the policy '{}' allows {:.3g} (eager has {:.3g}). Is something "
                        "computed {}?{}{}",
                        prefix, c.error, to_string(precision), error_limit(c, precision), c.eager_error,
                        suspicion(precision), c.where.empty() ? "" : "\n", c.where));
    if (by_policy && c.spread && c.spread->error > spread_limit(*c.spread, precision))
        return Verdict::because(
            Reason::values,
            fmt::format(
                "{}the largest error is within its limit, but {:.0f} % of the values are wrong by more than "
                "{:.3g} of "
                "their size; the policy '{}' allows {:.3g} (eager has {:.3g}). Is something computed {}, or "
                "something left out where results are small?",
                prefix, 100 * (1 - c.spread->share), c.spread->error, to_string(precision),
                spread_limit(*c.spread, precision), c.spread->eager_error, suspicion(precision)));
    return std::nullopt;
}

Verdict judge_fault(const Fault& fault, const std::string& doing, const std::string& printed,
                    const std::string& source) {
    switch (fault.kind) {
        case Fault::Kind::refusal:
            return judge_refusal(fault, doing, printed, source);
        case Fault::Kind::death:
            return judge_death(fault, doing, printed);
        case Fault::Kind::timeout:
            return Verdict::because(
                Reason::timeout,
                with_output(fmt::format("No result within {:.3g} s while {}.", fault.limit_s, doing),
                            printed));
        case Fault::Kind::nonsense:
            return Verdict::because(
                Reason::integrity,
                fmt::format("The player broke the protocol while {}: {}", doing, fault.message));
    }
    return Verdict::because(Reason::exception, fault.message);
}

}  // namespace kforge
