// How a player ends, against the fake zygote, which says as often as it is told that it has not.
#include "kforge/arena/player.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace kforge {
namespace {

Worker start_zygote() {
    Result<Worker> zygote = Worker::start({"python3", fs::path(KFORGE_SOURCE_DIR) / "tests/unit/arena/fake",
                                           "zygote", inherit_environment({"PATH"})});
    EXPECT_TRUE(zygote.ok()) << zygote.error().message;
    return std::move(zygote).value();
}

Result<Player> start_player(Worker& zygote, int not_yet, double limit_s) {
    PlayerSpec spec;
    spec.mode = "ends when it was asked for more often than " + std::to_string(not_yet);
    spec.ending_limit_s = limit_s;
    return Player::spawn(zygote, spec);
}

TEST(Player, IsAskedForUntilItHasEnded) {
    Worker zygote = start_zygote();
    Result<Player> player = start_player(zygote, 3, 60);
    ASSERT_TRUE(player.ok()) << player.error().message;
    EXPECT_EQ(player->finish().signal, SIGKILL);
    EXPECT_EQ(player->printed(), "");
}

TEST(Player, OneThatDoesNotEndCostsNeitherTheZygoteNorOthers) {
    Worker zygote = start_zygote();
    Result<Player> player = start_player(zygote, 1'000'000, 0.05);
    ASSERT_TRUE(player.ok()) << player.error().message;
    Result<Player> neighbour = start_player(zygote, 0, 60);
    ASSERT_TRUE(neighbour.ok()) << neighbour.error().message;
    EXPECT_EQ(player->finish().signal, SIGKILL);
    EXPECT_NE(player->printed().find("had not ended"), std::string::npos);
    EXPECT_EQ(neighbour->finish().signal, SIGKILL);
    EXPECT_EQ(neighbour->printed(), "");
    EXPECT_TRUE(start_player(zygote, 0, 60).ok());
}

}  // namespace
}  // namespace kforge
