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

TEST(Environments, WhatMayLaunchOnSeveralStreamsKeepsItsQueues) {
    const auto is_limited = [](const std::string& source) {
        Environment environment;
        limit_queues(environment, source);
        return environment_json(environment).contains("CUDA_DEVICE_MAX_CONNECTIONS");
    };
    EXPECT_TRUE(is_limited(""));
    EXPECT_TRUE(is_limited("auto stream = at::cuda::getCurrentCUDAStream();"));
    for (const char* source : {"self.side = torch.cuda.Stream()", "cudaStreamCreateWithFlags(&s, 1);",
                               "at::cuda::getStreamFromPool()", "torch.cuda.CUDAGraph()",
                               "nn.LSTM(64, 64, 2)", "torch._C._cudnn_rnn"})
        EXPECT_FALSE(is_limited(source)) << source;
}

}  // namespace
}  // namespace kforge
