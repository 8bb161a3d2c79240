// What is asked of a candidate in a player of its own, beside its match.
#include "kforge/arena/match.hpp"

namespace kforge {

Result<Finding> sanitize_in_player(Stage& stage, const Submission& submission, std::string& not_done) {
    TRY_ASSIGN(Player player, stage.spawn_player(submission));
    Contender contender(stage, std::move(player), submission);
    return first_finding([&] { return contender.load(); }, [&] { return contender.attach(); },
                         [&] { return contender.use_weights(0); },
                         [&] { return contender.check_memory(not_done); });
}

Result<PlayerProfile> profile_in_player(Stage& stage, const Submission& submission) {
    TRY_ASSIGN(Player player, stage.spawn_player(submission));
    Contender contender(stage, std::move(player), submission);
    PlayerProfile profile;
    TRY_ASSIGN(
        const Finding found,
        first_finding([&] { return contender.load(); }, [&] { return contender.attach(); },
                      [&] { return contender.use_weights(0); }, [&] { return contender.profile(profile); }));
    if (found) return Error{ErrorKind::process, "the candidate could not be profiled: " + found->evidence};
    return profile;
}

}  // namespace kforge
