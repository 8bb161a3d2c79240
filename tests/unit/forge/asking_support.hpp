// A forge whose questions are looked at: what each answer takes, and what is stored of it.
#pragma once

#include "forge_support.hpp"

namespace kforge {

class AskingTest : public ::testing::Test, protected ForgeBench {
  protected:
    void script(const std::vector<Evaluation>& evaluations) {
        for (size_t i = 0; i < evaluations.size(); ++i)
            arena.evaluations[std::to_string(i + 1)] = evaluations[i];
    }
    // A generation answer that took so much; the analysis agent's take nothing.
    void costs(int iteration, long tokens, double usd) {
        LlmOutcome outcome = answer_with(std::to_string(iteration));
        std::get<LlmAnswer>(outcome).usage = {.output_tokens = tokens, .usd = usd};
        provider.outcomes["generation " + std::to_string(iteration)] = outcome;
    }
    void price(double input, double output, int max_output_tokens) {
        llm.usd_per_million_input = input;
        llm.usd_per_million_output = output;
        llm.max_output_tokens = max_output_tokens;
    }
    std::string stored(int iteration, const std::string& name) const {
        return read_file(path() / "iterations" / ("0" + std::to_string(iteration)) / name)
            .value_or("(missing)");
    }
};

}  // namespace kforge
