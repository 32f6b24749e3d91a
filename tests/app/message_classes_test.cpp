// Classes of messages, dropped ones, markers and hits in the sequence diagram: commands, files and
// pictures. covers TM-24, TM-26, TM-45, TM-49
#include "app/session/message_classes.h"

#include <filesystem>
#include <fstream>

#include "tests/app/offscreen_test.h"

namespace weft::app {
namespace {

constexpr const char* kMessageLog =
    "# time_base: us\n"
    "10\tMESSAGE_SEND\tUid:1\tSender:plant/0x10\tReceiver:plant/0x20\tType:TICK\n"
    "15\tMESSAGE_RECEIVE\tUid:1\tReceiver:plant/0x20\n"
    "20\tMESSAGE_SEND\tUid:2\tSender:plant/0x20\tReceiver:plant/0x30\tType:ORDER\n"
    "28\tMESSAGE_DONE\tUid:1\tReceiver:plant/0x20\n"
    "33\tMESSAGE_RECEIVE\tUid:2\tReceiver:plant/0x30\n"
    "40\tMESSAGE_SEND\tUid:3\tSender:plant/0x30\tReceiver:plant/0x20\tType:ORDER\n"
    "42\tMESSAGE_DONE\tUid:2\tReceiver:plant/0x30\n"
    "44\tMESSAGE_DROP\tUid:3\tReceiver:plant/0x20\tReason:queue full\n"
    "50\tMESSAGE_SEND\tUid:4\tSender:plant/0x10\tReceiver:plant/0x30\tType:TICK\n"
    "61\tMESSAGE_RECEIVE\tUid:4\tReceiver:plant/0x30\n"
    "70\tMESSAGE_SEND\tUid:5\tSender:plant/0x10\tReceiver:plant/0x30\tType:REPORT\n";

Json ticks() {
  return {{"name", "timers"},   {"where", "type == TICK"}, {"color", "#e69f00"},
          {"sign", "triangle"}, {"line", "dashed"},        {"importance", 2}};
}

class MessageClassesTest : public testing::OffscreenTest {
 protected:
  // Written once: a start that opens it again may still be reading it.
  void SetUp() override { std::ofstream(path_, std::ios::binary) << kMessageLog; }
  void open_log(int width = 900, int height = 600) {
    start(lasting(width, height));
    if (!host_) return;
    ASSERT_TRUE(host_->open(path_));
    ASSERT_TRUE(host_->settle());
    ASSERT_TRUE(run("panel.open", {{"panel", "sequence"}}));
    host_->workbench().show_only("sequence");
    ASSERT_TRUE(host_->settle());
  }
  std::filesystem::path beside() const { return path_.string() + ".classes.json"; }

  const std::filesystem::path path_ = folder_.path() / "log.btrace";
};

TEST_F(MessageClassesTest, AreSetChangedAndRemoved) {
  open_log();
  if (!host_) return;
  const render::Image before = picture("sequence_plain.png");
  ASSERT_TRUE(run("class.set", ticks()));
  EXPECT_EQ(session().message_classes->size(), 1U);
  const render::Image marked = picture("sequence_class.png");
  EXPECT_NE(marked.pixels, before.pixels);
  Json changed = ticks();
  changed["sign"] = "diamond";
  ASSERT_TRUE(run("class.set", changed));
  EXPECT_EQ(session().message_classes->size(), 1U);
  EXPECT_NE(picture("sequence_diamonds.png").pixels, marked.pixels);
  ASSERT_TRUE(run("class.remove", {{"name", "timers"}}));
  EXPECT_FALSE(run("class.remove", {{"name", "timers"}}));
  EXPECT_EQ(picture("sequence_plain_again.png").pixels, before.pixels);
}

TEST_F(MessageClassesTest, AreRenamedAndMovedInTheirOrder) {
  open_log();
  if (!host_) return;
  const auto names = [&] {
    std::string text;
    for (const MessageClass& each : *session().message_classes) text += each.name + " ";
    return text;
  };
  for (const char* name : {"a", "b", "c"})
    ASSERT_TRUE(run("class.set", {{"name", name}, {"where", "type == TICK"}}));
  ASSERT_TRUE(run("class.set", {{"name", "x"}, {"was", "b"}, {"where", "type == ORDER"}}));
  EXPECT_EQ(names(), "a x c ");
  EXPECT_FALSE(run("class.set", {{"name", "a"}, {"was", "x"}, {"where", "type == ORDER"}}));
  ASSERT_TRUE(run("class.move", {{"name", "x"}, {"by", -1}}));
  EXPECT_EQ(names(), "x a c ");
  ASSERT_TRUE(run("class.move", {{"name", "x"}, {"by", 1e300}}));
  EXPECT_EQ(names(), "a c x ");
  EXPECT_FALSE(run("class.move", {{"name", "b"}, {"by", 1}}));
}

// All of it by the mouse and the keyboard, and there again at the next start.
TEST_F(MessageClassesTest, AreMadeInTheirPanel) {
  open_log();
  if (!host_) return;
  ASSERT_TRUE(run("panel.open", {{"panel", "classes"}}));
  host_->workbench().show_only("classes");
  const auto click_on = [&](const std::string& text) {
    ASSERT_TRUE(host_->settle());
    const auto at = find_text(text);
    ASSERT_TRUE(at) << text << shown_text();
    for (const bool is_down : {false, true, false})
      host_->frame({}, {.x = at->x + 3, .y = at->y - 3, .is_down = is_down});
    ASSERT_TRUE(host_->settle());
  };
  ASSERT_NO_FATAL_FAILURE(click_on("New class"));
  ASSERT_EQ(session().message_classes->size(), 1U);
  EXPECT_EQ(session().message_classes->front().where, "category == link");
  ASSERT_NO_FATAL_FAILURE(click_on("solid"));
  ASSERT_NO_FATAL_FAILURE(click_on("dotted"));
  EXPECT_EQ(session().message_classes->front().line, MessageLine::kDotted);
  // Typed, it is used when Enter is pressed; what is wrong in it is said, and not used.
  const auto rule = find_text("category == link");
  ASSERT_TRUE(rule);
  const std::string before = shown_text();
  EXPECT_FALSE(before.contains("where:"));
  picture("classes.png");
  open_log();
  ASSERT_EQ(session().message_classes->size(), 1U);
  EXPECT_EQ(session().message_classes->front().line, MessageLine::kDotted);
}

TEST_F(MessageClassesTest, AMessagesMenuMakesAClassOfItsType) {
  open_log();
  if (!host_) return;
  ASSERT_TRUE(run("class.set", {{"name", "TICK"}, {"where", "type == ORDER"}}));
  for (float y = 120; y < 560 && session().message_classes->size() == 1; y += 3) {
    for (const bool is_down : {false, true, false, false})
      host_->frame({}, {.x = 250, .y = y, .is_right_down = is_down});
    if (const auto at = find_text("Make a class of such messages")) {
      for (const bool is_down : {false, true, false})
        host_->frame({}, {.x = at->x + 3, .y = at->y - 3, .is_down = is_down});
    }
    press("Escape");
  }
  ASSERT_EQ(session().message_classes->size(), 2U);
  const MessageClass& made = session().message_classes->back();
  EXPECT_TRUE(made.where == "type == TICK" || made.where == "type == ORDER") << made.where;
  EXPECT_TRUE(made.name == "TICK 2" || made.name == "ORDER") << made.name;
  EXPECT_TRUE(made.color);
  EXPECT_EQ(session().desk.layout.first_of("classes")->options.value("edited", ""), made.name);
}

TEST_F(MessageClassesTest, LastInTheUsersFolderAndBesideATrace) {
  open_log();
  if (!host_) return;
  ASSERT_TRUE(run("class.set", ticks()));
  open_log();
  ASSERT_EQ(session().message_classes->size(), 1U);
  EXPECT_EQ(json_from_message_class(session().message_classes->front()), ticks());
  ASSERT_TRUE(run("classes.keep"));
  EXPECT_TRUE(std::filesystem::exists(beside()));
  ASSERT_TRUE(run("classes.use"));
  EXPECT_TRUE(session().message_classes->empty());
  open_log();
  ASSERT_TRUE(session().trace()->message_classes);
  EXPECT_EQ(session().trace()->message_classes->size(), 1U);
  // Changes now apply to the classes of the trace.
  ASSERT_TRUE(run("class.set", {{"name", "orders"}, {"where", "type == ORDER"}}));
  EXPECT_TRUE(session().message_classes->empty());
  Complaints complaints;
  EXPECT_EQ((*load_message_classes(path_, complaints))->size(), 2U);
  std::ofstream(beside(), std::ios::binary) << R"({"classes": [{"name": "a"}]})";
  EXPECT_TRUE((*load_message_classes(path_, complaints))->empty());
  EXPECT_EQ(complaints, Complaints{"entry 1: 'where' is missing, or no text"});
  std::ofstream(beside(), std::ios::binary) << "[no object";
  open_log();
  EXPECT_FALSE(session().trace()->message_classes);
  std::string said;  // of the opened trace something may be said, too
  for (const Message& message : session().messages.all) said += message.text + '\n';
  EXPECT_NE(said.find("is not a JSON object"), std::string::npos) << said;
}

TEST_F(MessageClassesTest, RefuseWhatTheyAreNot) {
  const auto error = [](const Json& json) {
    const auto made = message_class_from_json(json);
    return made ? std::string("none") : made.error().message;
  };
  EXPECT_EQ(error(ticks()), "none");
  EXPECT_EQ(error(3), "a class is an object");
  EXPECT_EQ(error({{"where", "x"}}), "'name' is missing, or no text");
  EXPECT_EQ(error({{"name", "a"}}), "'where' is missing, or no text");
  EXPECT_EQ(error({{"name", "a"}, {"where", "dur >"}}),
            "where: column 6: a value is missing after '>'");
  EXPECT_EQ(error({{"name", "a"}, {"where", "x"}, {"color", "red"}}),
            "'color' is not a colour (as #4e79a7)");
  EXPECT_EQ(error({{"name", "a"}, {"where", "x"}, {"sign", "star"}}),
            "'sign' must be one of square, diamond, triangle, bar");
  EXPECT_EQ(error({{"name", "a"}, {"where", "x"}, {"line", 7}}),
            "'line' must be one of solid, dashed, dotted");
  Json many = Json::array();
  for (int i = 0; i < 40; ++i)
    many.push_back({{"name", std::to_string(i)}, {"where", "x"}, {"importance", 1e30}});
  Complaints complaints;
  const MessageClasses read = message_classes_from_json({{"classes", many}}, complaints);
  EXPECT_EQ(complaints,
            Complaints{"more than " + std::to_string(layout::kMostMessageClasses) + " entries"});
  EXPECT_EQ(read.size(), layout::kMostMessageClasses);
  EXPECT_EQ(read.front().importance, kMostImportance);
}

TEST_F(MessageClassesTest, MarkersAndHitsAreDrawnBesideThem) {
  for (const char* theme : {"dark", "light"}) {
    for (const auto& [width, height] : {std::pair(1920, 1080), std::pair(400, 300)}) {
      open_log(width, height);
      if (!host_) return;
      ASSERT_TRUE(run("theme", {{"name", theme}}));
      ASSERT_TRUE(run("filter.set", {{"text", ""}}));  // not as it was left
      ASSERT_TRUE(run("sequence.spacing", {{"by", "time"}}));
      ASSERT_TRUE(run("class.set", ticks()));
      const render::Image before = picture("sequence_unmarked.png");
      ASSERT_TRUE(run("marker.add", {{"at", 30}, {"name", "begin of the order"}, {"note", "x"}}));
      ASSERT_TRUE(run("marker.add", {{"from", 50}, {"to", 61}, {"name", "late"}, {"color", 2}}));
      ASSERT_TRUE(run("marker.a", {{"at", 20}}));
      const render::Image marked = picture("sequence_marked.png");
      EXPECT_NE(marked.pixels, before.pixels);
      ASSERT_TRUE(run("filter.set", {{"text", "type == ORDER"}, {"mode", "off"}}));
      const std::string name =
          std::string("sequence_marked_") + theme + "_" + std::to_string(width) + ".png";
      EXPECT_NE(picture(name.c_str()).pixels, marked.pixels);
      ASSERT_TRUE(run("sequence.spacing", {{"by", "events"}}));
      const std::string by_event =
          std::string("sequence_events_") + theme + "_" + std::to_string(width) + ".png";
      (void)picture(by_event.c_str());
    }
  }
}

}  // namespace
}  // namespace weft::app
