// Ctrl-C and SIGTERM as a flag that blocking waits look at: a first signal asks for an orderly stop (and
// leaves a resumable run), a second one ends the process at once.
#pragma once

#include "kforge/util/result.hpp"

namespace kforge {

void install_interrupt_handler();
bool interrupted();
int interrupt_fd();  // readable once interrupted: for poll
Error interrupted_error();
void set_interrupted_for_test(bool value);

}  // namespace kforge
