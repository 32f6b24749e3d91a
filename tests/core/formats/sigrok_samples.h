// The session of sigrok that tests read: a folder, as its archive is unpacked; what reading it
// gives lies in sigrok/succeed/small.txt.
#pragma once

#include <cstring>
#include <filesystem>
#include <string>

#include "tests/core/formats/ctf_writer.h"

namespace weft::test {

inline std::string sigrok_floats(std::initializer_list<float> values) {
  std::string bytes;
  for (const float value : values) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    bytes.append(raw, sizeof raw);
  }
  return bytes;
}

// Ten samples of two probes in two bytes each, of which the last file's last has one; a channel.
inline void write_sigrok(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  write_file(folder / "version", "2");
  write_file(
      folder / "metadata",
      "[global]\nsigrok version=0.5.2\n\n[device 1]\ncapturefile=logic-1\ntotal probes=9\n"
      "samplerate=2 MHz\ntotal analog=1\nprobe1=CLK\nprobe9=Ready\nanalog10=A0\nunitsize=2\n");
  const std::string low("\0\0", 2), clock("\1\0", 2), both("\1\1", 2), ready("\0\1", 2);
  write_file(folder / "logic-1-1", low + clock + low);
  write_file(folder / "logic-1-2", both + ready + both + both);
  write_file(folder / "logic-1-10", ready + low + clock + "x");
  write_file(folder / "analog-1-10-1", sigrok_floats({0.5F, 0.5F, -1.0F}));
  write_file(folder / "analog-1-10-2", sigrok_floats({-1.0F, 2.0F}));
}

}  // namespace weft::test
