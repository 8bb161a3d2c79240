// Provenance: whether kernels of a candidate's own matter, by taking them away. The functions that its
// libraries offer are made to return at once; what the candidate gives back then was not theirs.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kforge {

// Where in an ELF file the functions begin that it offers to others; nothing for what is no such file.
std::vector<uint64_t> offered_functions(std::string_view image);

// Makes each of them in the candidate's own libraries return `value`. How many there were. The process must
// stand still.
size_t disable_own_functions(pid_t pid, const std::string& scratch, uint8_t value);

}  // namespace kforge
