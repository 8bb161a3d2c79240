// What a candidate may do: the settings of a run that the prompt states, the arena enforces and the report
// shows.
#pragma once

#include <string_view>

#include "kforge/util/result.hpp"

namespace kforge {

enum class Precision { strict, accurate, mixed };
enum class Weights { frozen, live };
enum class Kernels { any, required };
enum class Mode { as_is, eval };

struct Policies {
    Precision precision = Precision::strict;
    Weights weights = Weights::frozen;
    bool require_batch = false;    // other leading sizes must pass, not only be measured
    bool require_strides = false;  // non-contiguous inputs must pass
    Kernels kernels = Kernels::any;
    Mode mode = Mode::as_is;
};

std::string_view to_string(Precision value);
std::string_view to_string(Weights value);
std::string_view to_string(Kernels value);
std::string_view to_string(Mode value);

// From the words of the options; an unknown word is a usage error that lists the right ones.
Result<Precision> parse_precision(std::string_view text);
Result<Weights> parse_weights(std::string_view text);
Result<Mode> parse_mode(std::string_view text);

}  // namespace kforge
