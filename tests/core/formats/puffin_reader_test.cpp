// covers FS-62, R7
#include "core/formats/profiles/puffin/puffin_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/core/formats/bytes.h"
#include "tests/core/formats/case_folder.h"
#include "tests/core/formats/lz4.h"

namespace weft::formats {
namespace {

using test::Bytes;

std::string number(uint64_t value) {
  if (value < 251) return Bytes().little(static_cast<uint8_t>(value)).str();
  if (value <= UINT16_MAX) return "\xFB" + Bytes().little(static_cast<uint16_t>(value)).str();
  if (value <= UINT32_MAX) return "\xFC" + Bytes().little(static_cast<uint32_t>(value)).str();
  return "\xFD" + Bytes().little(value).str();
}
std::string signed_number(int64_t value) {
  return number(static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63));
}
std::string text(std::string_view text) { return number(text.size()) + std::string(text); }
std::string sized(const std::string& bytes) {
  return Bytes().little(static_cast<uint32_t>(bytes.size())).str() + bytes;
}

std::string short_text(std::string_view text) {
  return Bytes().little(static_cast<uint8_t>(text.size())).text(text).str();
}
std::string ended(const std::string& begin, const std::string& children, int64_t end) {
  return begin + Bytes().little(uint64_t{children.size()}).str() + children + ")" +
         Bytes().little(end).str();
}
// A scope with a name and a place, as until PFD3.
std::string named_scope(std::string_view name, std::string_view place, std::string_view data,
                        int64_t begin, int64_t end, const std::string& children = "") {
  return ended(
      "(" + Bytes().little(begin).str() + short_text(name) + short_text(place) + short_text(data),
      children, end);
}
std::string scope(uint32_t id, std::string_view data, int64_t begin, int64_t end,
                  const std::string& children = "") {
  return ended("(" + Bytes().little(id).little(begin).str() + short_text(data), children, end);
}

struct Thread {
  std::string start;  // 0, or 1 and a time
  std::string name, stream;
};
std::string streams(const std::vector<Thread>& threads) {
  std::string all = number(threads.size());
  for (const Thread& thread : threads)
    all += thread.start + text(thread.name) + text(thread.stream) + number(2) + number(2) +
           signed_number(1) + signed_number(2);
  return all;
}

constexpr int64_t kBegin = 1'700'000'000'000'000'000;

std::string meta(uint64_t index, int64_t begin, int64_t end) {
  return number(index) + signed_number(begin) + signed_number(end) + number(300) + number(2);
}
std::string old_threads(int64_t at) {
  const std::string inner = named_scope("sleep", "", "", at + 10, at + 20);
  return streams({{'\1' + signed_number(-600), "main",
                   named_scope("main_loop", "main.rs", "turn 1", at, at + 100, inner)},
                  {std::string(1, '\0'), "", named_scope("", "io.rs", "", at + 5, at + 9)}});
}
std::string old_frame(uint64_t index, int64_t at) {
  return number(index) + old_threads(at) + signed_number(at) + signed_number(at + 100) +
         number(300) + number(3);
}
// Compressed, preceded by its size.
std::string lz4(const std::string& bytes) {
  return Bytes()
      .little(static_cast<uint32_t>(bytes.size()))
      .text(test::literals_of_lz4(bytes))
      .str();
}

// A frame of zstd of one block that is not packed: others depend on the version of the library.
std::string stored(const std::string& bytes) {
  const auto size = static_cast<uint32_t>(bytes.size());
  return Bytes().little(uint32_t{0xFD2F'B528}).text("\xA0").little(size).str() +
         Bytes().little(size << 3 | 1).str().substr(0, 3) + bytes;
}

std::string old_frames() {
  const int64_t at = kBegin;
  return "PUF0" + sized(old_frame(1, -500)) + "PFD0" + sized(lz4(old_frame(2, at))) + "PFD1" +
         sized(stored(old_frame(3, at + 1000))) + "PFD2" + sized(meta(4, at + 2000, at + 2100)) +
         sized(stored(old_threads(at + 2000))) + "PFD3" + sized(meta(5, at + 3000, at + 3100)) +
         Bytes().little(static_cast<uint32_t>(old_threads(at + 3000).size())).str() + '\0' +
         old_threads(at + 3000) + std::string(4, '\0');
}

std::string details(uint32_t id, std::string_view name, std::string_view function) {
  return '\1' + number(id) + (name.empty() ? std::string(1, '\0') : '\1' + text(name)) +
         text(function) + text("src/main.rs") + number(uint64_t{id} * 100);
}
std::string frame_4(uint64_t index, int64_t at, const std::string& packed, char packing,
                    const std::string& details) {
  return "PFD4" + sized(meta(index, at, at + 100)) +
         Bytes().little(static_cast<uint32_t>(packed.size())).str() + packing + packed +
         sized(details);
}
std::string threads_4(int64_t at) {
  return streams({{'\1' + signed_number(1), "main",
                   scope(1, "turn", at, at + 100, scope(2, "", at + 10, at + 20))}});
}
std::string new_frames() {
  const int64_t at = kBegin;
  return "PUF0" +
         frame_4(7, at, stored(threads_4(at)), '\2',
                 number(2) + details(1, "", "app::main") + details(2, "sleep", "app::main")) +
         frame_4(8, at + 100, lz4(threads_4(at + 100)), '\1', number(0)) + "PFD5" +
         meta(9, at + 200, at + 300) +
         Bytes().little(static_cast<uint32_t>(threads_4(at + 200).size())).str() + '\0' +
         threads_4(at + 200) + number(1) + details(2, "snore", "app::main");
}

std::string damaged_frames() {
  const int64_t at = kBegin;
  const std::string open = "(" + Bytes().little(uint32_t{9}).little(at).str() + short_text("x") +
                           Bytes().little(UINT64_MAX).str();
  const std::string too_much = scope(9, "", at + 30, at + 20) + ")" + Bytes().little(at).str();
  const std::string cut = scope(9, "", at + 40, at + 50) + "(12";
  return "PUF0" + frame_4(1, at, "no zstd", '\2', number(0)) +
         frame_4(2, at, "no packing", '\7', number(3)) +
         frame_4(3, at,
                 streams({{std::string(1, '\0'), "a", open},
                          {std::string(1, '\0'), "b\xE4", too_much},
                          {std::string(1, '\0'), "c", cut}}),
                 '\0', number(0)) +
         frame_4(4, at, streams({{std::string(1, '\0'), "a", open}}).substr(0, 20), '\0',
                 number(0)) +
         "PFD2" + sized("\xFF") + sized("") + "PFD9" + sized("later");
}

TEST(Puffin, ReadsAsWritten) {
  test::expect_case("puffin/succeed/until_pfd3.puffin", old_frames());
  test::expect_case("puffin/succeed/pfd4.puffin", new_frames());
  test::expect_case("puffin/fail/damaged.puffin", damaged_frames());
  test::expect_case("puffin/fail/huge.puffin",
                    new_frames() + "PFD4" + Bytes().little(UINT32_MAX).str() + "abc");
}

}  // namespace
}  // namespace weft::formats
