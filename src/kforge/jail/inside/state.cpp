#include "kforge/jail/inside/state.hpp"

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

namespace kforge::jail {
namespace {

using nlohmann::json;

template <typename T>
void read(const json& value, T& into) {
    if constexpr (std::is_unsigned_v<T>) {
        if (!value.is_number_unsigned() && !(value.is_number_integer() && value.get<int64_t>() >= 0))
            throw std::runtime_error("not a number >= 0");
    }
    value.get_to(into);
}

// A promise of the arena, and the layers that keep it: all of one alternative are enough.
struct Promise {
    const char* text;
    std::vector<std::vector<const char*>> alternatives;
};

const std::vector<Promise>& promises() {
    static const std::vector<Promise> all = {
        {"files of the user are out of sight", {{"mount"}, {"landlock", "hidden"}}},
        {"nothing outside the scratch can be written",
         {{"mount"}}},  // Landlock does not cover modes and times
        {"the scratch is limited", {{"mount"}}},
        {"no network can be reached", {{"seccomp"}}},
        {"no socket of another program can be reached", {{"mount", "net"}, {"mount", "landlock_scopes"}}},
        {"other processes cannot be seen", {{"pid", "mount"}}},
        {"other processes cannot be signalled", {{"pid"}, {"landlock_scopes"}}},
        {"other processes cannot be read", {{"pid", "mount", "seccomp"}, {"landlock", "seccomp"}}},
        {"no process is left behind", {{"pid"}}},
        {"there are no privileges to gain", {{"capabilities", "no_new_privs", "seccomp"}}},
        {"only the given descriptors are open", {{"descriptors"}}},
        {"memory is limited", {{"total_memory"}, {"group"}}},
        {"the number of processes is limited", {{"processes"}}},
        {"shared memory of the machine is out of reach", {{"ipc"}, {"seccomp"}}},
    };
    return all;
}

}  // namespace

Config parse_config(const char* text) {
    Config c;
    std::string mode = "auto";
    const std::map<std::string, std::function<void(const json&)>> members = {
        {"mode", [&](const json& v) { read(v, mode); }},
        {"readable", [&](const json& v) { read(v, c.readable); }},
        {"hidden", [&](const json& v) { read(v, c.hidden); }},
        {"devices", [&](const json& v) { read(v, c.devices); }},
        {"scratch", [&](const json& v) { read(v, c.scratch); }},
        {"fallback_scratch", [&](const json& v) { read(v, c.fallback_scratch); }},
        {"scratch_bytes", [&](const json& v) { read(v, c.scratch_bytes); }},
        {"scratch_files", [&](const json& v) { read(v, c.scratch_files); }},
        {"shm_bytes", [&](const json& v) { read(v, c.shm_bytes); }},
        {"uid", [&](const json& v) { read(v, c.uid); }},
        {"memory_bytes", [&](const json& v) { read(v, c.memory_bytes); }},
        {"total_memory_bytes", [&](const json& v) { read(v, c.total_memory_bytes); }},
        {"processes", [&](const json& v) { read(v, c.processes); }},
        {"open_files", [&](const json& v) { read(v, c.open_files); }},
        {"file_table", [&](const json& v) { read(v, c.file_table); }},
        {"file_bytes", [&](const json& v) { read(v, c.file_bytes); }},
        {"cpu_seconds", [&](const json& v) { read(v, c.cpu_seconds); }},
        {"descriptors", [&](const json& v) { read(v, c.descriptors); }},
        {"output", [&](const json& v) { read(v, c.output); }},
        {"lifeline", [&](const json& v) { read(v, c.lifeline); }},
    };
    const json object = json::parse(text, nullptr, false);
    if (!object.is_object()) throw std::runtime_error("the configuration of the jail is not a JSON object");
    for (const auto& [name, value] : object.items()) {
        const auto member = members.find(name);
        if (member == members.end()) throw std::runtime_error("the jail has no setting '" + name + "'");
        try {
            member->second(value);
        } catch (const std::exception& e) {
            throw std::runtime_error("the jail's setting '" + name + "': " + e.what());
        }
    }
    if (mode != "auto" && mode != "require") throw std::runtime_error("the jail's mode is auto or require");
    c.require = mode == "require";
    if (c.scratch.size() < 2 || c.scratch[0] != '/') throw std::runtime_error("scratch is an absolute path");
    if (c.uid == 0) throw std::runtime_error("a player is never root: uid must not be 0");
    for (const int fd : c.descriptors)
        if (fd < 3) throw std::runtime_error("descriptors 0, 1 and 2 are not the caller's to give");
    return c;
}

void missing(const std::string& what) {
    throw Missing(what + ": " + std::strerror(errno));
}

long check(long result, const std::string& what) {
    if (result < 0) missing(what);
    return result;
}

void Report::attempt(const std::string& layer, const std::function<void()>& step) {
    m_layers[layer].clear();
    try {
        step();
    } catch (const Missing& e) {
        m_layers[layer] = e.what();
    }
}

bool Report::has(const std::string& layer) const {
    const auto found = m_layers.find(layer);
    return found != m_layers.end() && found->second.empty();
}

std::string Report::why(const std::string& layer) const {
    const auto found = m_layers.find(layer);
    return found == m_layers.end() ? "not attempted" : found->second;
}

namespace {

// Empty when the promise is kept; else what the best alternative lacks.
std::string broken_because(const Promise& promise, const Report& report) {
    std::string reason;
    for (const auto& alternative : promise.alternatives) {
        std::string lacks;
        for (const char* layer : alternative)
            if (!report.has(layer))
                lacks += (lacks.empty() ? "" : "; ") + (layer + (": " + report.why(layer)));
        if (lacks.empty()) return "";
        if (reason.empty()) reason = lacks;
    }
    return reason;
}

}  // namespace

bool Report::keeps_all_promises() const {
    for (const auto& promise : promises())
        if (!broken_because(promise, *this).empty()) return false;
    return true;
}

std::string Report::json() const {
    auto layers = nlohmann::json::object();
    for (const auto& [name, why] : m_layers) layers[name] = why.empty() ? "ok" : "missing: " + why;
    auto broken = nlohmann::json::array();
    for (const auto& promise : promises())
        if (const auto why = broken_because(promise, *this); !why.empty())
            broken.push_back({{"promise", promise.text}, {"why", why}});
    const nlohmann::json all = {
        {"layers", layers}, {"broken", broken}, {"notes", m_notes}, {"scratch", m_scratch}};
    return all.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

}  // namespace kforge::jail
