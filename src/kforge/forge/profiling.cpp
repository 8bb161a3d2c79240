#include "kforge/forge/profiling.hpp"

#include <fmt/format.h>

namespace kforge {
namespace {

constexpr const char* k_text = "profile/profile.txt";

std::string image_name(size_t index) {
    return fmt::format("profile/image-{}.png", index + 1);
}

// The text comes last: where it is, the images are there too.
Result<void> store(RunDirectory& run, int iteration, const Profile& profile) {
    for (size_t i = 0; i < profile.images.size(); ++i) {
        TRY_ASSIGN(const std::string image, read_file(profile.images[i]));
        TRY(run.write(iteration, image_name(i), image));
    }
    return run.write(iteration, k_text, profile.text);
}

}  // namespace

Result<std::optional<Profile>> profile_of(RunDirectory& run, int iteration, const TakeProfile& take,
                                          std::vector<std::string>& notes) {
    if (!run.has(iteration, k_text)) {
        const Result<Profile> taken = take(notes);
        if (!taken.ok()) {
            if (taken.error().kind == ErrorKind::cancelled) return taken.error();
            return std::optional<Profile>();
        }
        TRY(store(run, iteration, *taken));
    }
    Profile profile;
    TRY_ASSIGN(profile.text, run.read(iteration, k_text));
    for (size_t i = 0; run.has(iteration, image_name(i)); ++i)
        profile.images.push_back(run.iteration_path(iteration) / image_name(i));
    return std::optional<Profile>(std::move(profile));
}

}  // namespace kforge
