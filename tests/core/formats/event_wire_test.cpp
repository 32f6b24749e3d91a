// Everything that a reader sends arrives unchanged through a pipe; anything else is refused. covers
// R10
#include "core/trace/event_wire.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <random>

#include "core/formats/formats.h"
#include "tests/core/formats/case_folder.h"

namespace weft::trace {
namespace {

// The output of a WireWriter while `say` calls it.
template <class Say>
std::vector<std::byte> written(const Say& say) {
  const int fd = ::memfd_create("wire", 0);
  EXPECT_GE(fd, 0);
  WireWriter writer(fd);
  writer.end(say(writer));
  std::vector<std::byte> bytes(static_cast<size_t>(::lseek(fd, 0, SEEK_END)));
  EXPECT_EQ(::pread(fd, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
  ::close(fd);
  return bytes;
}

std::vector<std::byte> written_of(const std::filesystem::path& path) {
  return written([&](EventSink& sink) { return test::read_to(sink, path); });
}

std::vector<std::filesystem::path> all_cases() {
  std::vector<std::filesystem::path> cases;
  for (const formats::FormatPtr& format : formats::formats()) {
    if (!format->origin.empty()) continue;
    std::string folder = format->id;
    std::ranges::replace(folder, '-', '_');
    if (!std::filesystem::exists(std::filesystem::path(WEFT_SOURCE_DIR) / "tests/core/formats" /
                                 folder))
      continue;
    std::ranges::copy(test::cases_of(folder), std::back_inserter(cases));
  }
  return cases;
}

TEST(EventWire, EveryCaseIsHeardAsItWasSaid) {
  std::mt19937 random(7);
  const auto cases = all_cases();
  ASSERT_GT(cases.size(), 50u);
  for (const auto& path : cases) {
    SCOPED_TRACE(path);
    const std::vector<std::byte> bytes = written_of(path);
    const auto direct = test::read(path);
    test::Reading heard;
    WirePlayer player(heard.sink);
    for (std::span<const std::byte> left = bytes; !left.empty();) {
      const size_t n = std::min<size_t>(left.size(), 1 + random() % 300);
      ASSERT_TRUE(player.take(left.first(n)));
      left = left.subspan(n);
    }
    ASSERT_TRUE(player.ended());
    if (!*player.ended()) heard.error = player.ended()->error().message;
    EXPECT_EQ(heard.text(), direct->text());
  }
}

TEST(EventWire, TheEndOfTheRecordingComesBehindItsEvents) {
  const auto bytes = written([](EventSink& sink) -> Status {
    const VariableSample sample{
        {3}, 1.5, {}, sink.add_lane({"lane"}), sink.type(Category::kVariable, "level", "")};
    sink.give(sample);
    sink.set_end({20});
    return {};
  });
  test::RecordingSink sink;
  WirePlayer player(sink);
  ASSERT_TRUE(player.take(bytes));
  EXPECT_TRUE(sink.dump().ends_with("recorded until 20\n")) << sink.dump();
}

TEST(EventWire, PartsThatAreTouchedGoAheadOfWhatWaits) {
  const std::vector<std::string> names = {"kernel", ""};
  const auto bytes = written([&](WireWriter& writer) -> Status {
    writer.set_metadata("host", "box");
    writer.touch(names);
    return {};
  });
  test::RecordingSink sink;
  WirePlayer player(sink);
  size_t taken = 0;
  for (; player.touched().empty() && taken < bytes.size(); ++taken)
    ASSERT_TRUE(player.take(std::span(bytes).subspan(taken, 1)));
  EXPECT_EQ(player.touched(), names);
  EXPECT_FALSE(player.has_given());
  ASSERT_TRUE(player.take(std::span(bytes).subspan(taken)));
  EXPECT_TRUE(player.has_given());
  ASSERT_TRUE(player.ended());
}

TEST(EventWire, CutAnywhereItHasNoEnd) {
  const auto bytes = written([](EventSink& sink) -> Status {
    const LaneId lane = sink.add_lane({"lane"});
    const EventTypeId type = sink.type(Category::kState, "work", "");
    const StateEvent state{{1}, {2}, sink.params(R"({"a":1})"), lane, type};
    sink.give(state);
    sink.loss("a loss", {3, lane, Time{4}, Duration{5}});
    return {};
  });
  for (size_t end = 0; end < bytes.size(); ++end) {
    test::RecordingSink sink;
    WirePlayer player(sink);
    EXPECT_TRUE(player.take(std::span(bytes).first(end)));
    EXPECT_FALSE(player.ended());
  }
}

TEST(EventWire, DamageIsRefusedOrGivesValidEvents) {
  std::mt19937 random(11);
  const auto path = std::filesystem::path(WEFT_SOURCE_DIR) /
                    "tests/core/formats/btrace/succeed/everything.btrace";
  const std::vector<std::byte> good = written_of(path);
  size_t refused = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::byte> bytes = good;
    for (uint32_t flips = 1 + random() % 4; flips > 0; --flips)
      bytes[random() % bytes.size()] ^= static_cast<std::byte>(1u << random() % 8);
    test::RecordingSink sink;
    WirePlayer player(sink);
    refused += player.take(bytes) ? 0 : 1;
    EXPECT_FALSE(sink.dump().empty());  // which follows every id
  }
  EXPECT_GT(refused, 300u);
}

TEST(EventWire, AnErrorArrives) {
  const auto bytes =
      written([](EventSink&) -> Status { return fail("is not a trace, as the reader says"); });
  test::RecordingSink sink;
  WirePlayer player(sink);
  ASSERT_TRUE(player.take(bytes));
  ASSERT_TRUE(player.ended());
  EXPECT_EQ(player.ended()->error().message, "is not a trace, as the reader says");
}

TEST(EventWire, NobodyListeningStopsTheReader) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ::close(ends[0]);
  ::signal(SIGPIPE, SIG_IGN);
  WireWriter writer(ends[1]);
  EXPECT_TRUE(writer.keep_going());
  const std::string long_text(1 << 20, 'x');
  writer.set_metadata("key", long_text);
  EXPECT_FALSE(writer.keep_going());
  ::close(ends[1]);
}

}  // namespace
}  // namespace weft::trace
