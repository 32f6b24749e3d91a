#include "core/formats/embedded/nexus_lite/nexus_lite_generator.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/embedded/nexus_lite/nexus_file.h"
#include "core/io/output_file.h"

namespace weft::formats {
namespace {

// The event names of the generated system; the rest of the 64 names are "reserved".
constexpr std::string_view kNames[] = {
    "Startup",   "Stop",     "Idle",    "Wakeup",     "Interrupt", "Timer",    "Request",
    "Reply",     "Load",     "Store",   "Add",        "Multiply",  "Allocate", "Free",
    "Lock",      "Unlock",   "Send",    "Receive",    "Read",      "Write",    "Fault",
    "CacheMiss", "DmaStart", "DmaDone", "Temperature"};
enum Name : uint32_t {
  kStartup = 0,
  kStop = 1,
  kIdle = 2,
  kWakeup = 3,
  kRequest = 6,
  kReply = 7,
  kFirstWork = 8,
  kTemperature = 24
};

// xorshift64*: the same on every machine.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ull | 1) {}
  uint64_t next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545F4914F6CDD1Dull;
  }
  uint32_t below(uint32_t n) { return static_cast<uint32_t>((next() >> 32) * n >> 32); }

 private:
  uint64_t state_;
};

class System {
 public:
  explicit System(uint64_t seed) : random_(seed) {}

  NexusRecord next(bool is_last) {
    if (is_last) return say(kStop, 0);
    switch (step_++) {
      case 0:
        return say(kStartup, 1);
      case 1:
        return say(kWakeup, random_.below(4));
      case 2:
        left_ = 2 + random_.below(40);
        return say(kRequest, ++request_ & 0x03FFFFFF);
      case 3:
        if (--left_ > 0) step_ = 3;
        return say(kFirstWork + random_.below(16), random_.below(1 << 16));
      case 4:
        return say(kReply, request_ & 0x03FFFFFF);
      case 5:
        return say(kTemperature, 40 + random_.below(20));
      default:
        step_ = 1;
        now_ += 20 + random_.below(20'000);
        return say(kIdle, 0);
    }
  }

 private:
  NexusRecord say(uint32_t type, uint32_t payload) {
    now_ += 1 + random_.below(12);
    return {static_cast<uint32_t>(now_), static_cast<uint8_t>(type), payload};
  }

  Random random_;
  uint64_t now_ = 1000;
  uint32_t request_ = 0;
  uint32_t left_ = 0;
  int step_ = 0;
};

void append_big_endian(std::vector<std::byte>& out, uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8)
    out.push_back(static_cast<std::byte>(value >> shift));
}

}  // namespace

Status write_nexus_lite(const std::filesystem::path& path, uint64_t events, uint64_t seed) {
  WEFT_TRY_ASSIGN(io::OutputFile file, io::OutputFile::create(path));
  std::string header;
  for (size_t i = 0; i < kNexusNames; ++i) {
    header += i < std::size(kNames) ? kNames[i] : "reserved";
    header += i + 1 < kNexusNames ? ',' : '\n';
  }
  WEFT_TRY(file.write_at(0, std::as_bytes(std::span(header))));
  System system(seed);
  uint64_t offset = header.size();
  std::vector<std::byte> block;
  for (uint64_t i = 0; i < events; ++i) {
    const NexusRecord record = system.next(i + 1 == events && i > 0);
    append_big_endian(block, record.microseconds);
    append_big_endian(block, static_cast<uint32_t>(record.type) << 26 | record.payload);
    if (block.size() < 1 << 20 && i + 1 < events) continue;
    WEFT_TRY(file.write_at(offset, block));
    offset += block.size();
    block.clear();
  }
  return file.commit();
}

}  // namespace weft::formats
