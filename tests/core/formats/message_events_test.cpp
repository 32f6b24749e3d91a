// Message events in JSON and XML: the same messages as a Btrace log of them gives.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "core/formats/formats.h"
#include "tests/core/formats/case_folder.h"
#include "tests/core/formats/cuts.h"

namespace weft::formats {
namespace {

using test::read;
using test::ScratchFolder;
using testing::HasSubstr;

class MessageEventCase : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(MessageEventCase, ReadsAsWritten) {
  const bool is_xml = GetParam().extension() == ".xml";
  test::expect_as_written(GetParam(),
                          read(GetParam(), {is_xml ? "message-xml" : "message-json"})->text());
}

INSTANTIATE_TEST_SUITE_P(Json, MessageEventCase, testing::ValuesIn(test::cases_of("message_json")),
                         test::case_name);
INSTANTIATE_TEST_SUITE_P(Xml, MessageEventCase, testing::ValuesIn(test::cases_of("message_xml")),
                         test::case_name);

// The same log in the three notations.
struct Notations {
  std::string btrace, json = "[\n", xml = "<Log>\n";

  void add(bool is_send, uint64_t uid, int64_t time, uint32_t from, uint32_t to,
           std::string_view data) {
    btrace += fmt::format("{}\tMESSAGE_{}\tUid:{}\tSender:{:#x}\tReceiver:{:#x}", time,
                          is_send ? "SEND" : "RECEIVE", uid, from, to);
    if (!data.empty()) btrace += fmt::format("\tPriority:5\tData:{}", data);
    btrace += '\n';
    const std::string_view event = is_send ? "send" : "receive";
    json += fmt::format(
        R"({{"MessageEvent":{{"MessageId":{},"Event":"{}","Time":{},"Sender":"{:#x}","Receiver":{})",
        uid, event, time, from, to);
    if (!data.empty()) json += fmt::format(R"(,"Priority":5,"MessageData":"{}")", data);
    json += "}},\n";
    xml += fmt::format(
        R"(<MessageEvent Time="{}" Event="{}"><MessageId>{}</MessageId><Sender>{:#X}</Sender>)",
        time, event, uid, from);
    xml += fmt::format("<Receiver>{}</Receiver>", to);
    if (!data.empty())
      xml += fmt::format("<Priority>5</Priority><MessageData>{}</MessageData>", data);
    xml += "</MessageEvent>\n";
  }
};

// covers TM-56
TEST(MessageEvents, SayTheSameInEveryNotation) {
  const ScratchFolder folder;
  std::mt19937_64 random(7);
  Notations log;
  for (uint64_t uid = 0; uid < 3000; ++uid) {
    const auto sent = static_cast<int64_t>(uid * 10);
    const auto from = static_cast<uint32_t>(random() % 9), to = static_cast<uint32_t>(random() % 9);
    const std::string data = uid % 3 == 0 ? "" : fmt::format("{:08x}", random() % 0xFFFFFFFF);
    log.add(true, uid, sent, from, to, data);
    if (uid % 50 != 0)
      log.add(false, uid, sent + static_cast<int64_t>(random() % 50), from, to, "");
  }
  const auto btrace = read(folder.write("a", log.btrace), {"btrace"});
  ASSERT_EQ(btrace->error, "");
  ASSERT_EQ(btrace->sink.link_events().size(), 3000U);
  const auto without_offsets = [](const test::Reading& reading) {
    const std::string text = reading.text();
    return text.substr(0, text.find("note "));
  };
  const auto json = read(folder.write("b", log.json + "]"));
  EXPECT_TRUE(without_offsets(*json) == without_offsets(*btrace));
  EXPECT_EQ(json->sink.loss_count("message never received"), 60U);
  const auto xml = read(folder.write("c", log.xml + "</Log>"));
  EXPECT_TRUE(without_offsets(*xml) == without_offsets(*btrace));
  EXPECT_EQ(xml->sink.loss_count("message never received"), 60U);
}

// Documents as appended by a logger: the parser's pieces may end anywhere.
TEST(MessageEvents, DocumentsMayStandOneBehindTheOther) {
  const ScratchFolder folder;
  Notations log;
  for (uint64_t uid = 0; uid < 2000; ++uid)
    log.add(true, uid, static_cast<int64_t>(uid), 1, 2, std::string(uid % 37 * 2, 'a'));
  const auto whole = read(folder.write("a", log.xml + "</Log>"));
  const std::string events = log.xml.substr(log.xml.find('\n') + 1);
  std::string declared;
  for (size_t at = 0, next = 0; at < events.size(); at = next) {
    next = events.find('\n', at) + 1;
    declared += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + events.substr(at, next - at);
  }
  const auto without_offsets = [](const test::Reading& reading) {
    const std::string text = reading.text();
    return text.substr(0, text.find("note "));
  };
  for (const std::string& text : {events, declared}) {
    const auto reading = read(folder.write("b", text));
    EXPECT_EQ(reading->sink.link_events().size(), 2000U);
    EXPECT_TRUE(without_offsets(*reading) == without_offsets(*whole));
  }
  const auto junk = read(folder.write("c", events + "and more"));
  EXPECT_EQ(junk->sink.link_events().size(), 2000U);
  EXPECT_EQ(junk->sink.loss_count("XML that cannot be read on: syntax error"), 1U);
}

// docs/message-logs.md shows one log in each of them.
TEST(MessageEvents, TheDocumentedExamplesSayTheSame) {
  const ScratchFolder folder;
  const std::string page = test::content_of(WEFT_SOURCE_DIR "/docs/message-logs.md");
  std::vector<std::string> said;
  for (const std::string_view fence : {"\n```\n", "\n```json\n", "\n```xml\n"}) {
    const size_t begin = page.find(fence) + fence.size();
    const std::string example = page.substr(begin, page.find("```", begin) - begin);
    const auto reading = read(folder.write("example", example));
    EXPECT_EQ(reading->error, "");
    EXPECT_EQ(reading->sink.link_events().size(), 2U);
    const std::string text = reading->text();
    said.push_back(text.substr(0, text.find("note ")));
  }
  EXPECT_EQ(said[1], said[0]);
  EXPECT_EQ(said[2], said[0]);
}

TEST(MessageEvents, PayloadsOfAnySizeArriveUnchanged) {
  const ScratchFolder folder;
  std::string data;
  for (size_t i = 0; i < size_t{16} << 20; ++i) data += "0123456789abcdef"[i * 7 % 16];
  Notations log;
  log.add(true, 1, 1, 1, 2, data);
  log.add(false, 1, 2, 1, 2, "");
  for (const std::string& text : {log.json + "]", log.xml + "</Log>"}) {
    const auto reading = read(folder.write("t", text));
    ASSERT_EQ(reading->error, "");
    ASSERT_EQ(reading->sink.link_events().size(), 1U);
    EXPECT_TRUE(reading->sink.params_of(reading->sink.link_events()[0].params)
                    .ends_with(" payload " + data));
  }
}

// A record longer than the reader's memory is lost alone; if it never ends, with the rest of the
// input.
TEST(MessageEvents, WhatIsTooLongIsCounted) {
  const ScratchFolder folder;
  Notations log;
  log.add(true, 1, 1, 1, 2, std::string(size_t{4} << 20, 'a'));
  log.add(true, 2, 2, 1, 2, "");
  for (const auto& [text, format] :
       {std::pair(log.json + "]", "message-json"), std::pair(log.xml + "</Log>", "message-xml")}) {
    const auto reading = read(folder.write("t", text), {.format = format, .memory_bytes = 1 << 20});
    EXPECT_EQ(reading->error, "");
    EXPECT_EQ(reading->sink.link_events().size(), 1U) << format;
    EXPECT_EQ(reading->sink.loss_count("message event too long"), 1U) << format;
  }
}

// Wherever what is read at once ends.
TEST(MessageEvents, AContainerBeforeTheMessageIdIsAParameter) {
  const ScratchFolder folder;
  std::string text;
  for (int i = 0; i < 20'000; ++i)
    text += R"({"Time":1,"Event":"receive","Receiver":"B","Cause":{"MessageId":0},"MessageId":1})"
            "\n";
  const auto reading = read(folder.write("t", text), {"message-json"});
  EXPECT_EQ(reading->sink.link_events().size(), 20'000U);
  EXPECT_EQ(reading->sink.loss_count("record without a time"), 0U);
}

// Envelopes beside each other are not within each other.
TEST(MessageEvents, EventsStandBehindAnyNumberOfOtherObjects) {
  const ScratchFolder folder;
  std::string text = R"({"x":[)";
  for (int i = 0; i < 100; ++i) text += R"({"note":{"n":0}},)";
  text += R"({"payload":{"n":1},"Time":1,"Event":"send","Sender":"A","MessageId":1},)";
  text += R"({"payload":{"n":1},"Time":2,"Event":"receive","Receiver":"B","MessageId":1}]})";
  const auto reading = read(folder.write("t", text), {"message-json"});
  EXPECT_EQ(reading->sink.link_events().size(), 1U);
}

TEST(MessageEvents, ALogWithoutMessagesIsOne) {
  const ScratchFolder folder;
  const auto reading = read(folder.write("log", R"({"MessageEvents": []})"));
  EXPECT_EQ(reading->error, "");
  EXPECT_EQ(reading->sink.total(), 0u);
}

TEST(MessageEvents, EveryCutIsAnAnswer) {
  const ScratchFolder folder;
  const std::filesystem::path cases = std::filesystem::path(WEFT_SOURCE_DIR) / "tests/core/formats";
  const std::string json = test::content_of(cases / "message_json/succeed/envelope.json");
  for (const size_t size : test::cuts_of(json.size()))
    EXPECT_EQ(read(folder.write("cut", json.substr(0, size)), {"message-json"})->error, "") << size;
  const std::string xml = test::content_of(cases / "message_xml/succeed/everything.xml");
  for (const size_t size : test::cuts_of(xml.size())) {
    const auto reading = read(folder.write("cut", xml.substr(0, size)), {"message-xml"});
    EXPECT_TRUE(reading->error.empty() || reading->sink.link_events().empty()) << size;
  }
}

TEST(MessageEvents, DeepNestingEnds) {
  const ScratchFolder folder;
  std::string xml = "<MessageEvents>";
  for (int i = 0; i < 1'000'000; ++i) xml += "<a>";
  EXPECT_THAT(read(folder.write("a", xml), {"message-xml"})->error,
              HasSubstr("elements are nested too deep"));
  std::string json = R"({"MessageId":1,"Time":1,"Sender":1,"MessageData":)";
  for (int i = 0; i < 1'000'000; ++i) json += "[";
  EXPECT_EQ(read(folder.write("b", json), {"message-json"})->error, "");
}

}  // namespace
}  // namespace weft::formats
