#include "core/formats/embedded/nexus_lite/nexus_lite_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/formats/embedded/nexus_lite/nexus_file.h"
#include "core/formats/embedded/nexus_lite/nexus_lite_generator.h"
#include "tests/core/formats/case_folder.h"
#include "tests/core/formats/cuts.h"
#include "tests/core/io/compress.h"

namespace weft::formats {
namespace {

using test::read;
using test::ScratchFolder;

class NexusLiteCase : public testing::TestWithParam<std::filesystem::path> {};

// covers NX-01, NX-02, NX-03
TEST_P(NexusLiteCase, ReadsAsWritten) {
  test::expect_as_written(GetParam(), read(GetParam(), {"nexus-lite"})->text());
}

INSTANTIATE_TEST_SUITE_P(, NexusLiteCase, testing::ValuesIn(test::cases_of("nexus_lite")),
                         test::case_name);

std::vector<NexusFile::Event> all_events(NexusFile& file) {
  std::vector<NexusFile::Event> events;
  auto context = file.seek_rank(0);
  for (auto event = file.next(context); event && *event; event = file.next(context)) {
    events.push_back(**event);
  }
  return events;
}

// covers NX-14
TEST(NexusLite, TheReaderGivesWhatTheGeneratorWrote) {
  const ScratchFolder folder;
  const auto path = folder / "trace.nexus";
  ASSERT_TRUE(write_nexus_lite(path, 300000, 1));
  auto file = NexusFile::open(path);
  ASSERT_TRUE(file) << file.error().message;
  const auto events = all_events(*file);
  ASSERT_EQ(events.size(), 300000u);

  const auto reading = read(path);
  ASSERT_EQ(reading->error, "");
  const auto& read_events = reading->sink.punctual_events();
  ASSERT_EQ(read_events.size(), events.size());
  NexusClock clock;
  for (size_t i = 0; i < events.size(); ++i) {
    const NexusRecord& record = events[i].record;
    ASSERT_EQ(read_events[i].time, clock.advance(record.microseconds));
    ASSERT_EQ(reading->sink.dictionary().type(read_events[i].type).name,
              file->header().names[record.type]);
  }
  EXPECT_TRUE(reading->sink.dictionary().report.losses().empty());
  EXPECT_EQ(reading->sink.dictionary().time_base, TimeBase::kMicroseconds);
}

TEST(NexusLite, TheSameSeedGivesTheSameFile) {
  const ScratchFolder folder;
  ASSERT_TRUE(write_nexus_lite(folder / "a", 10000, 5));
  ASSERT_TRUE(write_nexus_lite(folder / "b", 10000, 5));
  ASSERT_TRUE(write_nexus_lite(folder / "c", 10000, 6));
  EXPECT_EQ(test::content_of(folder / "a"), test::content_of(folder / "b"));
  EXPECT_NE(test::content_of(folder / "a"), test::content_of(folder / "c"));
}

// covers NX-06
TEST(NexusLite, LongGeneratedTracesRollOver) {
  const ScratchFolder folder;
  ASSERT_TRUE(write_nexus_lite(folder / "long.nexus", 14'000'000, 1));
  auto file = NexusFile::open(folder / "long.nexus");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->event_count(), 14'000'000u);
  auto late = file->seek_time(Time{int64_t{1} << 32});
  ASSERT_TRUE(late);
  EXPECT_LT(late->location().rank, file->event_count());
}

// covers NX-04, NX-07
TEST(NexusLite, RankRatioAndLocationLandOnTheSameEvent) {
  const ScratchFolder folder;
  ASSERT_TRUE(write_nexus_lite(folder / "t", 100003, 2));
  auto file = NexusFile::open(folder / "t");
  ASSERT_TRUE(file) << file.error().message;
  for (uint64_t rank = 0; rank < file->event_count(); rank += 997) {
    const auto by_rank = file->seek_rank(rank);
    const auto by_ratio = file->seek_ratio(file->ratio({rank}));
    const auto by_location = file->seek_location(by_rank.location());
    EXPECT_EQ(by_rank.location().rank, rank);
    EXPECT_EQ(by_ratio.location(), by_rank.location()) << rank;
    EXPECT_EQ(by_location.location(), by_rank.location());
    auto context = by_ratio;
    const auto event = file->next(context);
    ASSERT_TRUE(event && *event);
    EXPECT_EQ((*event)->rank, rank);
  }
  auto end = file->seek_ratio(1);
  EXPECT_FALSE(file->next(end)->has_value());
}

// covers NX-08
TEST(NexusLite, AnyTimeIsFound) {
  const ScratchFolder folder;
  ASSERT_TRUE(write_nexus_lite(folder / "t", 50000, 3));
  auto file = NexusFile::open(folder / "t");
  ASSERT_TRUE(file) << file.error().message;
  std::vector<Time> times;
  NexusClock clock;
  for (const auto& event : all_events(*file)) {
    times.push_back(clock.advance(event.record.microseconds));
  }
  for (int64_t t = 0; t < times.back().ticks + 1000; t += 9973) {
    const auto expected = std::ranges::lower_bound(times, Time{t}) - times.begin();
    const auto found = file->seek_time(Time{t});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->location().rank, static_cast<uint64_t>(expected)) << t;
  }
}

TEST(NexusLite, CutWhileOpenIsAnError) {
  const ScratchFolder folder;
  const auto path = folder / "t";
  ASSERT_TRUE(write_nexus_lite(path, 100000, 3));
  auto file = NexusFile::open(path);
  ASSERT_TRUE(file);
  std::filesystem::resize_file(path, 1000);
  auto context = file->seek_rank(90000);
  EXPECT_FALSE(file->next(context));
}

TEST(NexusLite, CompressedFilesReadTheSame) {
  const ScratchFolder folder;
  ASSERT_TRUE(write_nexus_lite(folder / "t", 5000, 1));
  const std::string text = test::content_of(folder / "t");
  const std::string expected = read(folder / "t")->text();
  EXPECT_EQ(read(folder.write("gz", test::gzip(text)))->text(), expected);
}

TEST(NexusLite, AHeaderOfAMegabyteIsRead) {
  const ScratchFolder folder;
  std::string text = std::string(1 << 20, 'n');
  for (int i = 1; i < 64; ++i) text += ",n";
  text += std::string("\n\0\0\0\1\0\0\0\2", 9);
  const auto reading = read(folder.write("t", text), {"nexus-lite"});
  EXPECT_EQ(reading->error, "");
  EXPECT_EQ(reading->sink.dictionary().types[0].name.size(), 1u << 20);
}

TEST(NexusLite, EveryCutIsAnAnswerOrAnError) {
  const ScratchFolder folder;
  ASSERT_TRUE(write_nexus_lite(folder / "t", 300, 1));
  const std::string text = test::content_of(folder / "t");
  const size_t header = text.find('\n') + 1;
  for (const size_t size : test::cuts_of(text.size())) {
    const auto reading = read(folder.write("cut", text.substr(0, size)), {"nexus-lite"});
    const size_t events = size < header ? 0 : (size - header) / 8;
    EXPECT_EQ(reading->error.empty(), events > 0) << size;
    EXPECT_EQ(reading->sink.punctual_events().size(), events) << size;
  }
}

}  // namespace
}  // namespace weft::formats
