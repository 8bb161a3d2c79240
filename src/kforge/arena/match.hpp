// Match: one candidate against the arena, step by step: load, check, time, vary. The first step that finds a
// fault ends it with a verdict; the steps after it do nothing. Stage and submission must outlive it.
#pragma once

#include <functional>

#include "kforge/arena/contender.hpp"
#include "kforge/arena/race.hpp"

namespace kforge {

class Match {
  public:
    // Starts the player.
    static Result<Match> open(Stage& stage, const Submission& submission);

    // Several matches may load and rehearse at the same time, each on its own thread, while nothing is timed.
    Result<void> load();
    // What is compiled in a first call, is.
    Result<void> rehearse(const Stage::Rehearsal& rehearsal);
    // What is expected of the checks that are to come, as long as `waiting`. While it is being loaded: by its
    // source alone.
    Result<void> prepare_checks(const std::function<bool()>& waiting);
    // Whether what was found may be due to what the others did meanwhile, or to the rehearsal.
    bool may_do_better_alone() const;
    bool was_killed() const;
    bool is_decided() const { return m_found.has_value(); }
    // Whether it may be due to headers that we left out: another match of the same candidate has all.
    bool lacked_headers();
    Result<void> check();  // once
    // Whether it holds so much of a GPU's memory that others fail.
    Finding find_hoarding() { return m_contender.find_hoarding(); }
    // The rest: times and varies a candidate that still stands, and ends the player.
    Result<Evaluation> finish();

  private:
    Match(Stage& stage, Contender contender) : m_stage(stage), m_contender(std::move(contender)) {}
    template <typename Step>
    Result<void> step(const char* name, Step work);
    Result<void> make_room();
    Result<Finding> time();
    static std::vector<Surprise> surprises();
    void note_times(const RaceResult& result);
    Result<Finding> faster_than_physics();
    static bool has_seen_enough(const Work& work);
    Result<Finding> require_kernels();
    Result<Finding> prove_kernels();
    Result<Finding> sanitize();
    Result<Finding> vary();
    Result<void> try_variation(const char* name, bool required, Finding& required_failure);
    void note_error(const Comparison& comparison, const std::string& name);
    Finding usually_too_far_off() const;
    std::string correct_evidence() const;

    Stage& m_stage;
    Contender m_contender;
    Finding m_found;
    bool m_checked = false;
    std::optional<Work> m_work;
    std::string m_not_sanitized;  // why, where it was asked for or suspected
    Evaluation m_evaluation;
    std::vector<std::vector<double>> m_shares;  // of each output: see usual_limit()
};

// The check alone, with new seeds: correct, or what was found this time.
Result<Verdict> confirm_in_player(Stage& stage, const Submission& submission);

// One call in a player of its own, under a memory checker. `not_done`: why it could not look.
Result<Finding> sanitize_in_player(Stage& stage, const Submission& submission, std::string& not_done);

Result<PlayerProfile> profile_in_player(Stage& stage, const Submission& submission);

}  // namespace kforge
