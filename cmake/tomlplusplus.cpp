// toml++ as a part of the program: Debian and Ubuntu have it as a shared library only.
#define TOML_IMPLEMENTATION
#include <toml++/toml.h>
