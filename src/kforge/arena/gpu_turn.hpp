// GpuTurn: one timing at a time on one GPU, among all KForge processes of the machine, whoever's they are and
// wherever their temporary files go. Knows no driver.
#pragma once

#include <string>

#include "kforge/util/fd.hpp"
#include "kforge/util/result.hpp"

namespace kforge {

// Released with the object, and by the kernel when the process ends.
class GpuTurn {
  public:
    // The same for all users, so not the folder that TMPDIR names; players cannot reach it.
    static constexpr const char* k_folder = "/tmp";
    // Of the GPU itself: its instances (MIG) share power, clocks and the way to the host, so they take turns
    // too. Waits for others; an Error cancelled when interrupted meanwhile.
    static Result<GpuTurn> take(const std::string& uuid);

  private:
    explicit GpuTurn(Fd file) : m_file(std::move(file)) {}
    Fd m_file;
};

}  // namespace kforge
