// Writes small method traces of Dalvik and ART for tests, in all of their forms.
//
// Source: AOSP's runtime/trace.h and trace.cc.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/core/formats/bytes.h"

namespace weft::test::art {

enum Action : uint8_t { kEnter, kExit, kUnwind, kNone };

// "SLOW" and 32 bytes in all, of versions 1 to 3.
inline std::string header(uint16_t version, uint64_t start_us, uint16_t record_bytes = 0) {
  Bytes out;
  out.text("SLOW").little(version).little(uint16_t{32}).little(start_us);
  return out.little(record_bytes).pad(32).str();
}

// The packet header of versions 4 to 6; `frequency` of the counter only in the newest.
inline std::string packet_header(uint16_t version, uint64_t start_ns, uint64_t frequency = 0) {
  Bytes out;
  out.text("SLOW").little(version).little(start_ns).little(uint64_t{0}).little(frequency);
  return out.pad(32).str();
}

inline std::string record(uint16_t thread, uint32_t method, Action action, uint32_t us) {
  return Bytes().little(thread).little(method | action).little(us).str();
}
inline std::string dual(uint16_t thread, uint32_t method, Action action, uint32_t cpu_us,
                        uint32_t us) {
  return Bytes().text(record(thread, method, action, cpu_us)).little(us).str();
}

// Among the records of a stream.
inline std::string stream_method(std::string_view line) {
  const auto size = static_cast<uint16_t>(line.size());
  return Bytes().little(uint16_t{0}).little(uint8_t{1}).little(size).text(line).str();
}
inline std::string stream_thread(uint16_t id, std::string_view name) {
  const auto size = static_cast<uint16_t>(name.size());
  Bytes out;
  return out.little(uint16_t{0}).little(uint8_t{2}).little(id).little(size).text(name).str();
}
inline std::string stream_summary(std::string_view text) {
  const auto size = static_cast<uint32_t>(text.size());
  return Bytes().little(uint16_t{0}).little(uint8_t{3}).little(size).text(text).str();
}

// Packets of versions 4 to 6.
inline std::string thread(uint32_t id, std::string_view name) {
  const auto size = static_cast<uint16_t>(name.size());
  return Bytes().little(uint8_t{0}).little(id).little(size).text(name).str();
}
inline std::string method(uint64_t id, std::string_view line) {
  const auto size = static_cast<uint16_t>(line.size());
  return Bytes().little(uint8_t{1}).little(id).little(size).text(line).str();
}
inline std::string block(uint32_t thread, uint32_t records, std::string_view bytes) {
  Bytes out;
  out.little(uint8_t{2}).little(thread).little(static_cast<uint16_t>(records));
  out.little(static_cast<uint8_t>(records >> 16)).little(static_cast<uint32_t>(bytes.size()));
  return out.text(bytes).str();
}
inline std::string summary(std::string_view text) {
  const auto size = static_cast<uint16_t>(text.size());
  return Bytes().little(uint8_t{3}).little(size).text(text).str();
}

// LEB128 with a sign.
inline void add_signed(Bytes& out, int64_t value) {
  while (value < -64 || value > 63) {
    out.little(static_cast<uint8_t>(value | 0x80));
    value >>= 7;
  }
  out.little(static_cast<uint8_t>(value & 0x7F));
}

struct Call {
  uint64_t method;
  Action action;
  uint64_t ns;
  int64_t cpu_ns = -1;  // not there
};

// The records of a block; `time_bits`: of the action below the time, 0 where it stands with the
// method.
inline std::string calls(const std::vector<Call>& calls, int time_bits = 0) {
  Bytes out;
  uint64_t method = 0, time = 0, cpu = 0;
  const auto add = [&out](uint64_t& last, uint64_t now, bool is_signed) {
    const uint64_t step = now - last;
    is_signed ? add_signed(out, static_cast<int64_t>(step)) : void(out.varint(step));
    last = now;
  };
  for (const Call& call : calls) {
    if (time_bits == 0) {
      add(method, call.method | call.action, true);
      add(time, call.ns, false);
      if (call.cpu_ns >= 0) add(cpu, static_cast<uint64_t>(call.cpu_ns), false);
    } else {
      add(time, call.ns << time_bits | call.action, true);
      if (call.cpu_ns >= 0) add(cpu, static_cast<uint64_t>(call.cpu_ns), true);
      if (call.action == kEnter) add(method, call.method, true);
    }
  }
  return out.str();
}

}  // namespace weft::test::art
