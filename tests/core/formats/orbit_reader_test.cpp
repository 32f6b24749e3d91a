// covers FS-62, R7
#include "core/formats/profiles/orbit/orbit_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <string_view>

#include "core/formats/profiles/orbit/orbit_fields.h"
#include "tests/core/formats/bytes.h"
#include "tests/core/formats/case_folder.h"

namespace weft::formats {
namespace {

using test::Bytes;

// A protobuf message, field by field.
class Message {
 public:
  Message& number(uint32_t field, uint64_t value) {
    bytes_.varint(field << 3).varint(value);
    return *this;
  }
  Message& fixed(uint32_t field, uint64_t value) {
    bytes_.varint(field << 3 | 1).little(value);
    return *this;
  }
  Message& real(uint32_t field, double value) {
    return fixed(field, std::bit_cast<uint64_t>(value));
  }
  Message& real32(uint32_t field, float value) {
    bytes_.varint(field << 3 | 5).little(value);
    return *this;
  }
  Message& text(uint32_t field, std::string_view value) {
    bytes_.varint(field << 3 | 2).varint(value.size()).text(value);
    return *this;
  }
  Message& message(uint32_t field, const Message& value) { return text(field, value.str()); }
  // A text as Orbit's API writes it: eight letters per number, those after the 64th in a field of
  // their own.
  Message& encoded(uint32_t field, std::string_view value) {
    constexpr size_t kLetters = 8, kFields = 8;
    for (size_t i = 0; i * kLetters < value.size(); ++i) {
      uint64_t letters = 0;
      const std::string_view part = value.substr(i * kLetters, kLetters);
      for (size_t k = 0; k < part.size(); ++k)
        letters |= static_cast<uint64_t>(static_cast<uint8_t>(part[k])) << (8 * k);
      fixed(field + static_cast<uint32_t>(std::min(i, kFields)), letters);
    }
    return *this;
  }
  const std::string& str() const { return bytes_.str(); }

 private:
  Bytes bytes_;
};

// pid, tid and time, as most events begin.
Message by(uint32_t tid, uint64_t time) {
  return Message().number(1, 100).number(2, tid).number(3, time);
}

class Capture {
 public:
  void add(uint32_t field, const Message& event) {
    const std::string bytes = Message().message(field, event).str();
    events_.varint(bytes.size()).text(bytes);
  }
  std::string events() const { return events_.str(); }
  std::string file(const std::string& user_data) const {
    constexpr uint64_t kHeader = 24, kList = 32;
    const uint64_t list_at = user_data.empty() ? 0 : kHeader + events_.size();
    Bytes all;
    all.text("ORBT").little(uint32_t{1}).little(kHeader).little(list_at).text(events_.str());
    if (user_data.empty()) return all.str();
    all.little(uint64_t{1}).little(uint64_t{1}).little(list_at + kList);
    all.little(uint64_t{user_data.size()}).text(user_data);
    return all.str();
  }

 private:
  Bytes events_;
};

Message module(std::string_view name, uint64_t begin, uint64_t end) {
  return Message()
      .text(1, name)
      .text(2, "/lib/" + std::string(name))
      .number(3, 4096)
      .number(4, begin)
      .number(5, end)
      .text(6, "b1d");
}

void add_begin(Capture& capture) {
  const Message function = Message().text(1, "/opt/game").number(3, 7).text(5, "Game::Draw(int)");
  const Message options = Message().number(1, 1).real(3, 1000).number(4, 2).message(5, function);
  capture.add(orbit::kCaptureStarted, Message()
                                          .number(1, 100)
                                          .text(2, "/opt/game")
                                          .text(3, "abcd")
                                          .number(4, 1000)
                                          .number(6, 1)
                                          .number(7, 81)
                                          .number(8, 1'700'000'000'000'000'000)
                                          .message(5, options));
  capture.add(orbit::kClockResolution, Message().number(1, 1000).number(2, 28));
  capture.add(orbit::kModules, Message().number(1, 100).number(2, 1001).message(
                                   3, module("libgame.so", 0x1000, 0x2000)));
  capture.add(orbit::kThreadNames, Message().number(1, 1001).message(
                                       2, Message().number(1, 100).number(2, 101).text(3, "main")));
}

void add_scheduling(Capture& capture) {
  const auto slice = [](uint32_t tid, uint64_t core, uint64_t out, uint64_t duration) {
    return Message().number(1, 100).number(2, tid).number(3, core).number(5, out).number(6,
                                                                                         duration);
  };
  capture.add(orbit::kSchedulingSlice, slice(101, 3, 2500, 500));
  capture.add(orbit::kSchedulingSlice, slice(102, 0, 2600, 100));
  const auto state = [](uint32_t tid, uint64_t kind, uint64_t end, uint64_t duration) {
    return Message().number(2, tid).number(3, kind).number(5, end).number(6, duration);
  };
  capture.add(orbit::kThreadState, state(101, 0, 2500, 500));
  capture.add(orbit::kThreadState, state(101, 2, 3000, 500).number(10, 2).number(11, 5));
  capture.add(orbit::kThreadState,
              state(101, 1, 3050, 50).number(7, 102).number(8, 100).number(9, 1));
  capture.add(orbit::kThreadState, state(102, 99, 3050, 50));
}

void add_stacks(Capture& capture) {
  const auto text = [&](uint64_t key, std::string_view of) {
    capture.add(orbit::kInternedString, Message().number(1, key).text(2, of));
  };
  const std::string packed = Bytes().varint(0x1010).varint(0x1500).varint(0x9999).str();
  capture.add(orbit::kInternedCallstack,
              Message().number(1, 5).message(2, Message().text(1, packed)));
  capture.add(orbit::kInternedCallstack,
              Message().number(1, 6).message(2, Message().number(1, 0x1010).number(2, 1)));
  const auto sample = [&](uint64_t stack, uint64_t time) {
    capture.add(orbit::kCallstackSample,
                Message().number(1, 100).number(2, 101).number(3, stack).number(4, time));
  };
  sample(5, 1'000'000);
  sample(5, 2'000'000);
  sample(6, 3'000'000);
  text(1, "paint");
  text(2, "/lib/libgame.so");
  capture.add(orbit::kAddress, Message().number(1, 0x1010).number(2, 4).number(3, 1).number(4, 2));
}

void add_scopes(Capture& capture) {
  capture.add(orbit::kScopeStop, by(101, 1900));
  capture.add(orbit::kScopeStart, by(101, 2000).encoded(4, "frame").number(13, 0x11223344));
  capture.add(
      orbit::kScopeStart,
      by(101, 2010)
          .encoded(4, "a name that is longer than the sixty-four letters of the eight fields")
          .number(14, 3)
          .number(15, 0x1010));
  capture.add(orbit::kScopeStop, by(101, 2020));
  capture.add(orbit::kFunctionCall, Message()
                                        .number(1, 100)
                                        .number(2, 101)
                                        .number(3, 7)
                                        .number(5, 2090)
                                        .number(6, 1)
                                        .number(7, 42)
                                        .text(8, Bytes().varint(1).varint(2).str())
                                        .number(9, 50));
  capture.add(orbit::kScopeStop, by(101, 2100));
  capture.add(orbit::kAsyncStart, by(101, 2200).encoded(4, "load").number(14, 9));
  capture.add(orbit::kApiString, by(101, 2210).encoded(4, "level 2").number(13, 9));
  capture.add(orbit::kAsyncStop, by(102, 2300).number(4, 9));
  capture.add(orbit::kAsyncStop, by(102, 2310).number(4, 8));
  capture.add(orbit::kTrackInt, by(101, 2400).number(4, static_cast<uint64_t>(-5)).encoded(5, "i"));
  capture.add(orbit::kTrackUint64, by(101, 2401).number(4, UINT64_MAX).encoded(5, "u"));
  capture.add(orbit::kTrackFloat, by(101, 2402).real32(4, 0.5F).encoded(5, "f"));
  capture.add(orbit::kTrackDouble, by(101, 2403).real(4, 0.25).encoded(5, "d"));
}

void add_gpu(Capture& capture) {
  capture.add(orbit::kInternedString, Message().number(1, 10).text(2, "gfx"));
  capture.add(orbit::kInternedString, Message().number(1, 11).text(2, "shadows"));
  const Message about = Message().number(1, 101).number(2, 4000).number(3, 4100).number(4, 100);
  const auto buffer = [](uint64_t begin, uint64_t end) {
    return Message().number(1, begin).number(2, end);
  };
  const Message color = Message().real32(1, 1).real32(2, 0.5F).real32(3, 0).real32(4, 1);
  const Message marker = Message()
                             .message(1, Message().message(1, about).number(2, 90'010))
                             .number(2, 90'030)
                             .number(3, 11)
                             .number(4, 1)
                             .message(5, color);
  const Message buffers =
      Message().message(1, buffer(90'000, 90'050)).message(1, buffer(90'060, 90'070));
  capture.add(orbit::kGpuSubmission,
              Message().message(1, about).message(2, buffers).message(3, marker).number(4, 1));
  capture.add(orbit::kGpuJob, Message()
                                  .number(1, 100)
                                  .number(2, 101)
                                  .number(3, 1)
                                  .number(4, 55)
                                  .number(6, 4050)
                                  .number(7, 4200)
                                  .number(8, 4300)
                                  .number(9, 4500)
                                  .number(10, 10));
  const Message other = Message().number(1, 102).number(2, 4000).number(3, 4100);
  capture.add(orbit::kGpuSubmission, Message().message(1, other).message(2, buffers));
}

void add_rest(Capture& capture) {
  capture.add(orbit::kInternedTracepoint,
              Message().number(1, 3).message(2, Message().text(1, "sched").text(2, "sched_wake")));
  capture.add(orbit::kTracepoint, by(101, 5000).number(4, 2).number(5, 3));
  capture.add(orbit::kMemoryUsage,
              Message()
                  .number(1, 5100)
                  .message(2, Message().number(2, 16'000).number(3, static_cast<uint64_t>(-1)))
                  .message(3, Message().number(1, 100).number(6, 640))
                  .message(4, Message().text(1, "user.slice").number(4, 1234)));
  capture.add(orbit::kPresent, by(101, 5200).number(4, 30).number(5, 1));
  capture.add(orbit::kModuleUpdate, Message().number(1, 100).number(2, 5300).message(
                                        3, module("liblate.so", 0x3000, 0x4000)));
  capture.add(orbit::kThreadName, Message().number(1, 100).number(2, 102).text(3, "loader"));
  capture.add(orbit::kWarning, Message().number(1, 5400).text(2, "slow"));
  capture.add(orbit::kPerfErrors, Message().number(1, 5401).text(2, "a").text(2, "b"));
  capture.add(orbit::kUprobesWarning,
              Message().number(1, 5402).message(2, Message().number(1, 7).text(2, "too short")));
}

std::string user_data() {
  const std::string ids = Bytes().varint(7).str();
  const std::string message = Message().message(1, Message().text(2, ids)).str();
  return Bytes().varint(message.size()).text(message).str();
}

Capture everything() {
  Capture capture;
  add_begin(capture);
  add_scheduling(capture);
  add_stacks(capture);
  add_scopes(capture);
  add_rest(capture);
  return capture;
}

const Message kFinished = Message().number(1, 0).number(3, 4).number(4, 11);

TEST(Orbit, ReadsAsWritten) {
  Capture capture = everything();
  capture.add(orbit::kCaptureFinished, kFinished);
  test::expect_case("orbit/succeed/everything.orbit", capture.file(user_data()));
  Capture gpu;
  add_begin(gpu);
  add_gpu(gpu);
  gpu.add(orbit::kLostRecords, Message().number(1, 1000).number(2, 9000));
  gpu.add(orbit::kDiscarded, Message().number(1, 10).number(2, 9500));
  gpu.add(orbit::kCaptureFinished, Message().number(1, 1).text(2, "disk full"));
  test::expect_case("orbit/fail/lost.orbit", gpu.file(""));
}

TEST(Orbit, WhatIsDamagedIsCounted) {
  Capture capture = everything();
  capture.add(orbit::kScopeStart, by(101, 9000).encoded(4, "open"));
  capture.add(orbit::kAsyncStart, by(101, 9010).encoded(4, "never").number(14, 9));
  capture.add(77, Message().number(1, 1));
  std::string bytes = capture.file("");
  const size_t at = bytes.find("longer than") + 12;
  bytes[at + 50] = '\x07';  // of a field: a wire type that is none
  test::expect_case("orbit/fail/damaged.orbit", bytes);
  test::expect_case("orbit/fail/not_an_event.orbit",
                    capture.file("") + std::string(12, '\xFF') + "more");
  Capture whole = everything();
  whole.add(orbit::kCaptureFinished, kFinished);
  std::string sections = whole.file(user_data());
  sections[sections.size() - user_data().size() - 24] = '\2';  // a kind of section of later on
  test::expect_case("orbit/fail/sections.orbit", sections);
}

TEST(HostileOrbit, OtherVersionsAreNamed) {
  std::string later = everything().file("");
  later[4] = '\2';
  const test::ScratchFolder folder;
  EXPECT_THAT(test::read(folder.write("later.orbit", later))->error,
              testing::HasSubstr("of version 2; version 1 is read"));
}

}  // namespace
}  // namespace weft::formats
