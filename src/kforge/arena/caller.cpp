#include "kforge/arena/caller.hpp"

#include <sys/uio.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "kforge/arena/freezer.hpp"

namespace kforge {
namespace {

constexpr char k_mark = '\xff';  // not a number, in every type that knows such
constexpr size_t k_looked_at_once = 1 << 16;
// Of a result of so many parts one in so many is looked at, by lot: what shares memory to any avail does so
// in many of them, and in every call.
constexpr size_t k_many_parts = 16, k_one_in = 4;
constexpr size_t k_most_elements = 1024;  // that one system call takes

}  // namespace

bool Caller::write_to(pid_t pid, const OutputForm& output, size_t elements) {
    const size_t bytes = output.span().value_or(0);
    if (bytes == 0) return true;
    const size_t item = output.item_bytes();
    std::vector<iovec> places(std::min(elements, k_most_elements));
    for (iovec& place : places) {
        uint64_t index = 0;
        for (size_t i = 0; i < output.shape.size(); ++i)
            if (output.shape[i] > 1)
                index += m_random() % static_cast<uint64_t>(output.shape[i]) *
                         static_cast<uint64_t>(output.stride[i]);
        m_written.emplace_back(output.address + index * item, item);
        place = {reinterpret_cast<void*>(m_written.back().first), item};
    }
    std::sort(m_written.begin(), m_written.end());
    const std::string marks(places.size() * item, k_mark);
    const iovec from{const_cast<char*>(marks.data()), marks.size()};
    return ::process_vm_writev(pid, &from, 1, places.data(), places.size(), 0) ==
           static_cast<ssize_t>(marks.size());
}

bool Caller::finds_its_own(pid_t pid) const {
    for (size_t done = 0; done < m_written.size(); done += k_most_elements) {
        std::vector<iovec> places;
        size_t bytes = 0;
        for (size_t i = done; i < std::min(done + k_most_elements, m_written.size()); ++i) {
            places.push_back({reinterpret_cast<void*>(m_written[i].first), m_written[i].second});
            bytes += m_written[i].second;
        }
        std::string marks(bytes, '\0');
        const iovec into{marks.data(), bytes};
        if (::process_vm_readv(pid, &into, 1, places.data(), places.size(), 0) != static_cast<ssize_t>(bytes))
            return false;
        if (marks.find_first_not_of(k_mark) != std::string::npos) return false;
    }
    return true;
}

bool Caller::left_the_rest(pid_t pid, const OutputForm& output, const char* before) {
    const size_t size = output.span().value_or(0);
    std::string part(std::min(size, k_looked_at_once), '\0');
    auto written = m_written.begin();
    for (size_t done = 0; done < size; done += part.size()) {
        if (size > k_many_parts * part.size() && m_random() % k_one_in != 0) continue;
        const uint64_t first = output.address + done;
        const size_t length = std::min(part.size(), size - done);
        if (!read_memory(pid, first, length, part.data())) return false;
        // Elements of one output may lie there in another one, and across the end of a part.
        while (written != m_written.end() && written->first + written->second <= first) ++written;
        for (auto at = written; at != m_written.end() && at->first < first + length; ++at) {
            const uint64_t begin = std::max(at->first, first);
            const size_t bytes = std::min(at->first + at->second, first + length) - begin;
            std::memcpy(part.data() + (begin - first), before + (begin - output.address), bytes);
        }
        if (std::memcmp(part.data(), before + done, length) != 0) return false;
    }
    return true;
}

}  // namespace kforge
