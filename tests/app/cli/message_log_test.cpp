// A message log from end to end, by the program itself: the filters of messages against the log's
// own words, and a log that is saved and loaded. covers TM-15, TM-16, TM-17, TM-18, TM-36
#include <fmt/core.h>

#include <filesystem>
#include <functional>
#include <set>
#include <vector>

#include "tests/app/cli/program.h"

namespace weft::cli {
namespace {

struct LoggedMessage {
  int uid, sent_us, sender, receiver, type, size;
};

class MessageLog : public ProgramTest {
 protected:
  MessageLog() {
    std::string text = "# time_base: us\n";
    for (int uid = 1; uid <= 60; ++uid) {
      const LoggedMessage m{uid, uid * 100, 1 + uid % 4, 1 + (uid + 1) % 4, 16 + uid % 3, uid % 11};
      messages_.push_back(m);
      const auto line = [&](int time, const char* what, const std::string& more) {
        text += fmt::format("{}\t{}\tUid:{}\tSender:0x{:X}\tReceiver:0x{:X}{}\n", time, what, m.uid,
                            m.sender, m.receiver, more);
      };
      line(m.sent_us, "MESSAGE_SEND", fmt::format("\tType:0x{:X}", m.type));
      std::string bytes;
      for (int i = 0; i < m.size; ++i) bytes += fmt::format("{:02X}", (m.uid + i) % 256);
      if (m.size > 0) line(m.sent_us + 1, "MESSAGE_DATA", "\tData:" + bytes);
      if (m.uid % 7 != 0) line(m.sent_us + 50, "MESSAGE_RECEIVE", "");
    }
    log_ = folder_.write("queues.btrace", text);
  }

  using Uids = std::set<int>;
  Uids passing(const std::string& where) const {
    Uids uids;
    for (const auto& event : run({"events", log_, "--json", "--where", where}).json_lines()) {
      if (event["category"] == "link") uids.insert(event["params"]["uid"].get<int>());
    }
    return uids;
  }
  Uids meant(const std::function<bool(const LoggedMessage&)>& is_meant) const {
    Uids uids;
    for (const LoggedMessage& message : messages_) {
      if (is_meant(message)) uids.insert(message.uid);
    }
    EXPECT_FALSE(uids.empty() || uids.size() == messages_.size());
    return uids;
  }

  std::vector<LoggedMessage> messages_;
  std::string log_;
};

// covers TM-12, TM-55
TEST_F(MessageLog, TheSampleIsShorterByEachBetterOrder) {
  const std::string sample = WEFT_SOURCE_DIR "/samples/queues.btrace.gz";
  const auto lengths = run({"order", sample, "--compare", "--json"}).json()["lengths"];
  const auto length = [&](const char* order) { return lengths[order].get<double>(); };
  EXPECT_LE(length("short"), 0.7 * length("force"));
  EXPECT_LE(length("short"), length("groups"));
  EXPECT_LE(length("force"), length("first"));
}

TEST_F(MessageLog, IsFilteredBySizeTimeTypeAndQueue) {
  using M = LoggedMessage;
  EXPECT_EQ(passing("payload >= 3 && payload <= 7"),
            meant([](const M& m) { return m.size >= 3 && m.size <= 7; }));
  EXPECT_EQ(passing("begin >= 1500us && begin < 3500us"),
            meant([](const M& m) { return m.sent_us >= 1500 && m.sent_us < 3500; }));
  EXPECT_EQ(passing("type =~ /0x1[02]/"),
            meant([](const M& m) { return m.type == 0x10 || m.type == 0x12; }));
  EXPECT_EQ(passing("source =~ /0x[23]/"),
            meant([](const M& m) { return m.sender == 2 || m.sender == 3; }));
  EXPECT_EQ(passing("payload > 4 && type == \"0x11\" && source == \"0x1\""),
            meant([](const M& m) { return m.size > 4 && m.type == 0x11 && m.sender == 1; }));
}

TEST_F(MessageLog, SavedItIsThereWithoutWhatItCameFrom) {
  const std::string logged = run({"events", log_, "--json"}).out;
  EXPECT_NE(logged.find("\"payload\""), std::string::npos);
  const std::string saved = folder_ / "session.weft";
  ASSERT_EQ(run({"import", log_, "-o", saved}).exit_code, 0);
  std::filesystem::remove(log_);
  EXPECT_EQ(run({"events", saved, "--json"}).out, logged);
}

}  // namespace
}  // namespace weft::cli
