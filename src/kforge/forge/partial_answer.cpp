#include "kforge/forge/partial_answer.hpp"

namespace kforge {
namespace {

// Pieces are a few bytes and may be thousands a second: they are written when a reader could tell.
constexpr auto k_flush_every = std::chrono::milliseconds(200);

}  // namespace

void PartialAnswer::add(std::string_view text) {
    const auto now = std::chrono::steady_clock::now();
    if (!m_file.is_open()) m_file.open(m_path, std::ios::binary | std::ios::trunc);
    m_file.write(text.data(), static_cast<std::streamsize>(text.size()));
    if (now - m_flushed < k_flush_every) return;
    m_file.flush();
    m_flushed = now;
}

void PartialAnswer::restart() {
    m_file.close();
    m_file.open(m_path, std::ios::binary | std::ios::trunc);
}

void PartialAnswer::remove() {
    m_file.close();
    std::error_code ignored;
    fs::remove(m_path, ignored);
}

}  // namespace kforge
