#include "core/formats/messages/btrace/btrace_reader.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "tests/core/formats/case_folder.h"
#include "tests/core/formats/cuts.h"

namespace weft::formats {
namespace {

using test::read;
using test::ScratchFolder;

class BtraceCase : public testing::TestWithParam<std::filesystem::path> {};

// covers TM-39, TM-41
TEST_P(BtraceCase, ReadsAsWritten) {
  test::expect_as_written(GetParam(), read(GetParam(), {"btrace"})->text());
}

INSTANTIATE_TEST_SUITE_P(, BtraceCase, testing::ValuesIn(test::cases_of("btrace")),
                         test::case_name);

std::string line(int64_t time, std::string_view kind, uint64_t uid, std::string_view more = "") {
  return fmt::format("{}\t{}\tUid:{}\tSender:0x1\tReceiver:0x2{}\n", time, kind, uid, more);
}

// Whatever the order of the lines, within what is waited for.
// covers TM-41
TEST(Btrace, PairsByUidInAnyOrder) {
  const ScratchFolder folder;
  std::mt19937_64 random(3);
  std::vector<std::string> lines;
  std::map<uint64_t, std::pair<int64_t, int64_t>> truth;
  for (uint64_t uid = 0; uid < 5000; ++uid) {
    const auto sent = static_cast<int64_t>(uid * 10 + random() % 100);
    const auto received = sent + static_cast<int64_t>(random() % 500);
    truth[uid] = {sent, received};
    std::string both[] = {line(sent, "MESSAGE_SEND", uid, fmt::format("\tNumber:{}", uid)),
                          line(received, "MESSAGE_RECEIVE", uid)};
    for (std::string& text : both) lines.push_back(std::move(text));
  }
  for (size_t i = 0; i + 64 < lines.size(); i += 32) {
    std::shuffle(lines.begin() + static_cast<ptrdiff_t>(i),
                 lines.begin() + static_cast<ptrdiff_t>(i + 64), random);
  }
  std::string text;
  for (const std::string& each : lines) text += each;
  const auto reading = read(folder.write("t", text), {"btrace"});
  ASSERT_EQ(reading->error, "");
  ASSERT_EQ(reading->sink.link_events().size(), truth.size());
  std::multimap<int64_t, int64_t> expected, got;
  for (const auto& [uid, times] : truth) expected.insert(times);
  for (const auto& link : reading->sink.link_events())
    got.emplace(link.send.ticks, link.receive.ticks);
  const auto sorted = [](const auto& pairs) {
    std::vector<std::pair<int64_t, int64_t>> list(pairs.begin(), pairs.end());
    std::ranges::sort(list);
    return list;
  };
  EXPECT_EQ(sorted(got), sorted(expected));
  EXPECT_TRUE(reading->sink.dictionary().report.losses().empty());
}

TEST(Btrace, AMillionThatAreNeverReceivedAreKeptAsSuch) {
  const ScratchFolder folder;
  std::string text;
  constexpr uint64_t kMessages = 1'000'000;
  for (uint64_t uid = 0; uid < kMessages; ++uid)
    text += line(static_cast<int64_t>(uid), "MESSAGE_SEND", uid);
  test::ReadingOptions options{.format = "btrace", .memory_bytes = 8 << 20};
  const auto reading = read(folder.write("t", text), options);
  EXPECT_EQ(reading->sink.link_events().size(), kMessages);
  for (const auto& link : reading->sink.link_events()) ASSERT_TRUE(link.target.is_none());
  EXPECT_EQ(reading->sink.loss_count("message never received"), kMessages);
  EXPECT_EQ(reading->sink.dictionary().report.losses().size(), 1u);
}

TEST(Btrace, AReceiveThatComesWhenNobodyWaitsAnyMoreIsALoss) {
  const ScratchFolder folder;
  std::string text;
  constexpr int64_t kMessages = 100'000;
  for (int64_t uid = 0; uid < kMessages; ++uid)
    text += line(uid, "MESSAGE_SEND", static_cast<uint64_t>(uid));
  text += line(kMessages, "MESSAGE_RECEIVE", 0) + line(kMessages, "MESSAGE_RECEIVE", kMessages - 1);
  const auto reading = read(folder.write("t", text), {.format = "btrace", .memory_bytes = 1 << 20});
  EXPECT_EQ(reading->sink.loss_count("message never received"), kMessages - 1);
  EXPECT_EQ(reading->sink.loss_count("message received but never sent"), 1u);
  EXPECT_EQ(reading->sink.loss_count("message whose other end was no longer waited for"), 1u);
}

// Messages that have been passed on need no memory: a log may be of any length.
TEST(Btrace, LongLogsArePairedInLittleMemory) {
  const ScratchFolder folder;
  std::string text;
  constexpr uint64_t kMessages = 600'000, kUnderWay = 100;
  for (uint64_t uid = 0; uid < kMessages + kUnderWay; ++uid) {
    const auto time = static_cast<int64_t>(uid);
    if (uid < kMessages) text += line(time, "MESSAGE_SEND", uid);
    if (uid >= kUnderWay) text += line(time, "MESSAGE_RECEIVE", uid - kUnderWay);
  }
  const test::ReadingOptions options{.format = "btrace", .memory_bytes = 1 << 20};
  const auto reading = read(folder.write("t", text), options);
  EXPECT_EQ(reading->sink.link_events().size(), kMessages);
  EXPECT_TRUE(reading->sink.dictionary().report.losses().empty());
}

// covers TM-42
TEST(Btrace, PayloadsOfAnySizeArriveUnchanged) {
  const ScratchFolder folder;
  for (const size_t size : {size_t{0}, size_t{1}, size_t{16} << 20}) {
    std::string data;
    for (size_t i = 0; i < size; ++i) data += fmt::format("{:02x}", i * 7 % 256);
    const std::string text = line(1, "MESSAGE_SEND", 1) +
                             line(1, "MESSAGE_DATA", 1, "\tData:" + data) +
                             line(2, "MESSAGE_RECEIVE", 1);
    const auto reading = read(folder.write("t", text), {"btrace"});
    ASSERT_EQ(reading->sink.link_events().size(), 1u);
    const std::string wanted = size == 0 ? "" : " payload " + data;
    EXPECT_TRUE(reading->sink.params_of(reading->sink.link_events()[0].params) ==
                R"({"uid":1})" + wanted)
        << size;
  }
}

TEST(Btrace, AHandlingKeepsTheTypeOfItsMessageHoweverLongItLasts) {
  const ScratchFolder folder;
  std::string text = line(0, "MESSAGE_SEND", 0, "\tType:Long") + line(1, "MESSAGE_RECEIVE", 0);
  for (int64_t uid = 1; uid <= 10'000; ++uid) {  // received by another
    text += fmt::format("{}\tMESSAGE_SEND\tUid:{}\tSender:0x1\tType:Short\n", 2 * uid, uid);
    text += fmt::format("{}\tMESSAGE_RECEIVE\tUid:{}\tReceiver:0x3\n", 2 * uid + 1, uid);
  }
  text += line(30'000, "MESSAGE_DONE", 0);
  const auto reading = read(folder.write("t", text), {"btrace"});
  ASSERT_EQ(reading->sink.state_events().size(), 1u);
  EXPECT_EQ(
      reading->sink.dictionary().types[reading->sink.state_events().front().type.value()].name,
      "Long");
}

TEST(Btrace, EveryCutIsAnAnswer) {
  const ScratchFolder folder;
  const std::string text = test::content_of(std::filesystem::path(WEFT_SOURCE_DIR) /
                                            "tests/core/formats/btrace/succeed/everything.btrace");
  for (const size_t size : test::cuts_of(text.size()))
    EXPECT_EQ(read(folder.write("cut", text.substr(0, size)), {"btrace"})->error, "") << size;
}

}  // namespace
}  // namespace weft::formats
