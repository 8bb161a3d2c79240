// Sockets and named pipes of other programs in folders that a player sees: whoever may write to one can talk
// to them, also where the folder is only to be read. Told by what lies there, as far as that is soon looked
// through, and by the names under which programs listen.
#pragma once

#include <string>
#include <vector>

#pragma GCC visibility push(hidden)
namespace kforge::jail {

// As real paths. What was found in a folder is kept for a minute. Called where the player does not begin yet,
// in the network namespace of the other programs.
std::vector<std::string> special_files(const std::vector<std::string>& folders);

}  // namespace kforge::jail
#pragma GCC visibility pop
