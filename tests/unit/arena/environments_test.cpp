#include "kforge/arena/environments.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace kforge {
namespace {

TEST(Environments, PlayersCountAndReachGpusAsTheOthersDo) {
    for (const char* variable : {"CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "CUDA_MPS_PIPE_DIRECTORY"}) {
        ::setenv(variable, "test", 1);
        for (const Environment& environment : {player_environment(1), trusted_environment({})})
            EXPECT_EQ(environment_json(environment).value(variable, ""), "test") << variable;
        ::unsetenv(variable);
    }
}

}  // namespace
}  // namespace kforge
