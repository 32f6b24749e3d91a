// Names of numbers and fields of payloads, in the window: taken from sources, kept, taken back; and
// the traffic between lanes.
#include <algorithm>
#include <fstream>

#include "app/panels/element/element_facts.h"
#include "app/panels/sequence/causality_facts.h"
#include "app/panels/sequence/traffic_figures.h"
#include "app/session/element_args.h"
#include "app/session/view_state.h"
#include "core/query/element.h"
#include "core/query/filter/filter_compiler.h"
#include "core/query/filter/filter_completion.h"
#include "tests/app/offscreen_test.h"

namespace weft::app {
namespace {

constexpr const char* kLog =
    "10\tMESSAGE_SEND\tUid:1\tSender:plant/0x10\tReceiver:plant/0x20\tType:0x2\tPriority:5\n"
    "10\tMESSAGE_DATA\tUid:1\tData:07 00 00 00 2a 00 00 00 01 70 75 6d 70 00 00 00\n"
    "15\tMESSAGE_RECEIVE\tUid:1\tReceiver:plant/0x20\n"
    "20\tMESSAGE_SEND\tUid:2\tSender:plant/0x20\tReceiver:plant/0x10\tType:0x1\n"
    "40\tMESSAGE_RECEIVE\tUid:2\tReceiver:plant/0x10\n"
    "50\tMESSAGE_SEND\tUid:3\tSender:plant/0x10\tReceiver:plant/0x20\tType:0x1\n"
    "61\tMESSAGE_RECEIVE\tUid:3\tReceiver:plant/0x20\n"
    "70\tMESSAGE_SEND\tUid:4\tSender:plant/0x10\tReceiver:plant/0x30\tType:0x1\n";

constexpr const char* kHeader =
    "#define QUEUE_SENSOR 0x10\n#define QUEUE_PUMP 0x20\n"
    "enum MessageType { MSG_TICK = 1, MSG_SAMPLE };\n"
    "struct sample { uint8_t flags; struct { uint32_t value; uint8_t mode; } reading; char "
    "name[7]; };\n";

class SymbolsTest : public testing::OffscreenTest {
 protected:
  std::filesystem::path write(const std::string& name, const char* text) {
    const std::filesystem::path path = folder_.path() / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  void open_log(int width = 1280, int height = 800) {
    start(sized(width, height));
    if (!host_) return;
    const Status opened = host_->open(write("log.btrace", kLog));
    ASSERT_TRUE(opened) << opened.error().message;
    write("sources/plant.h", kHeader);
    ASSERT_TRUE(host_->settle());
  }
  void load_symbols() {
    ASSERT_TRUE(run("symbols.load", {{"path", (folder_.path() / "sources").string()}}));
    ASSERT_TRUE(host_->settle());
  }
  std::vector<std::string> lane_names() const {
    std::vector<std::string> names;
    for (const trace::Lane& lane : session().trace()->trace()->dictionary().lanes)
      names.push_back(lane.name);
    return names;
  }
  // The message of uid 1.
  query::ElementRef first_message() const {
    const store::Trace& trace = *session().trace()->trace();
    for (const store::Row& row : trace.rows()) {
      if (row.kind != store::RowKind::kLinkOut) continue;
      const store::Record record = trace.record(row, 0);
      if (record.begin.ticks != 10) continue;
      query::ElementRef ref;
      ref.lane = row.lane;
      ref.kind = row.kind;
      ref.type = record.type;
      ref.begin = record.begin;
      ref.duration = record.duration;
      ref.peer = record.peer;
      return ref;
    }
    return {};
  }
};

// covers TM-38, TM-40
TEST_F(SymbolsTest, NumbersGetNamesAndLoseThem) {
  open_log();
  if (!host_) return;
  const std::vector<std::string> numbers = lane_names();
  EXPECT_EQ(numbers, (std::vector<std::string>{"plant", "0x10", "0x20", "0x30"}));
  load_symbols();
  EXPECT_EQ(lane_names(),
            (std::vector<std::string>{"plant", "QUEUE_SENSOR", "QUEUE_PUMP", "0x30"}));
  EXPECT_EQ(session().messages.last.text,
            "symbols: names of 2 lanes by QUEUE_ and 2 types by enum MessageType; 1 struct known");
  const Json kept = json_from_view_state(*session().trace());
  EXPECT_EQ(symbol_paths_of(kept).size(), 1U);
  ASSERT_TRUE(run("symbols.clear"));
  EXPECT_EQ(lane_names(), numbers);
  ASSERT_TRUE(run("trace.restore", {{"state", kept}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(lane_names()[1], "QUEUE_SENSOR");
}

TEST_F(SymbolsTest, WhatCannotBeReadIsSaidAndTheTraceStays) {
  open_log();
  if (!host_) return;
  ASSERT_TRUE(run("symbols.load", {{"path", (folder_.path() / "missing").string()}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_NE(session().messages.last.text.find("missing"), std::string::npos);
  EXPECT_EQ(lane_names()[1], "0x10");
}

// covers TM-23, TM-51
TEST_F(SymbolsTest, TheInspectorShowsFieldsBesideTheBytes) {
  open_log(900, 900);
  if (!host_) return;
  load_symbols();
  host_->workbench().show_only("inspector");
  const OpenTrace& trace = *session().trace();
  const ElementFacts facts =
      make_element_facts({trace.trace(), first_message(), trace.names().symbols()});
  ASSERT_TRUE(facts.fields);
  std::vector<std::pair<std::string, std::string>> lines;
  for (const symbols::FieldLine& line : facts.fields->lines)
    lines.emplace_back(line.name, line.value);
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"flags", "7"},
      {"reading", ""},
      {"value", "42"},
      {"mode", "1"},
      {"name", "not in the payload"}};
  EXPECT_EQ(lines, expected);
  EXPECT_EQ(facts.fields->note, "struct sample has 20 bytes, the payload only 16");
  ASSERT_TRUE(run("element.select", args_from_element(first_message())));
  picture("payload_fields.png");
}

TEST_F(SymbolsTest, FiltersAndTablesKnowFieldsByTheirNames) {
  open_log();
  if (!host_) return;
  const auto passing = [&](const std::string& text) {
    const store::Trace& trace = *session().trace()->trace();
    const auto filter = query::compile_filter(text, trace);
    EXPECT_TRUE(filter) << filter.error().one_line(text);
    uint64_t count = 0;
    for (const store::Row& row : trace.rows()) {
      const auto of_row = (*filter)->for_row(trace, row);
      for (uint64_t i = 0; i < row.count && row.kind == store::RowKind::kLinkOut; ++i)
        count += of_row.passes(trace.record(row, i)) ? 1 : 0;
    }
    return count;
  };
  EXPECT_EQ(passing("payload.flags == 7"), 0U) << "no sources yet";
  load_symbols();
  EXPECT_EQ(passing("payload.flags == 7"), 1U);
  EXPECT_EQ(passing("payload.reading.value > 41 && payload.reading.mode in [1, 2]"), 1U);
  EXPECT_EQ(passing("payload.reading.value != 42"), 0U);
  EXPECT_EQ(passing("payload.name == x"), 0U) << "it is not in the payload";
  EXPECT_EQ(passing("payload == 16"), 1U);
  const store::Trace& trace = *session().trace()->trace();
  const auto names = query::param_names(trace, 20'000, {});
  EXPECT_NE(std::ranges::find(names, "payload.reading.value"), names.end());
  const query::ElementRef ref = first_message();
  const query::Element found = *query::Elements(session().trace()->trace()).find(ref);
  EXPECT_EQ(trace.payload_fields(found.record.type, found.record.params),
            R"({"flags":7,"reading":{"value":42,"mode":1}})");
}

// covers TM-48
TEST_F(SymbolsTest, AFieldOfThePayloadIsFollowedAlongAChain) {
  open_log();
  if (!host_) return;
  const auto followed = [&] {
    return *make_causality_facts(
        {session().trace()->trace(), first_message(), {}, "payload.reading.value"}, {});
  };
  const auto knows_it = [](const CausalityFacts& facts) {
    return std::ranges::find(facts.fields, "payload.reading.value") != facts.fields.end();
  };
  EXPECT_FALSE(knows_it(followed())) << "no sources yet";
  load_symbols();
  const CausalityFacts facts = followed();
  EXPECT_TRUE(knows_it(facts));
  ASSERT_EQ(facts.lines.size(), 4U);
  EXPECT_EQ(facts.lines[0].value, "42");
  EXPECT_EQ(facts.lines[1].value, "") << "its type has no struct";
}

// The field under the pointer marks its bytes.
TEST_F(SymbolsTest, APointedFieldMarksItsBytes) {
  open_log(900, 900);
  if (!host_) return;
  load_symbols();
  host_->workbench().show_only("inspector");
  ASSERT_TRUE(run("element.select", args_from_element(first_message())));
  const render::Image before = picture("fields_before.png");
  // From the top down, until a field is under the pointer: its line and its bytes are lit.
  size_t most = 0;
  for (float y = 100; y < 890; y += 8) {
    Pointer pointer;
    pointer.x = 120;
    pointer.y = y;
    host_->frame({}, pointer);
    host_->frame({}, pointer);
    const render::Image image = host_->picture();
    size_t apart = 0;  // lit rows of pixels that are not beside the pointer
    for (size_t row = 0; row < static_cast<size_t>(image.height); ++row) {
      const bool is_near = std::abs(static_cast<float>(row) - y) < 40;
      const auto width = static_cast<size_t>(image.width);
      const auto line = [&](const render::Image& of) {
        return std::span(of.pixels).subspan(row * width, width);
      };
      if (!is_near && !std::ranges::equal(line(image), line(before))) ++apart;
    }
    most = std::max(most, apart);
  }
  EXPECT_GT(most, 5U);
}

TEST_F(SymbolsTest, TrafficIsCountedByPair) {
  open_log();
  if (!host_) return;
  load_symbols();
  const auto& trace = session().trace()->trace();
  ThreadPool pool(2);
  const auto figures =
      measure_traffic({{.trace = trace, .range = query::whole_range(*trace)}, true}, pool, {},
                      [](const TrafficFigures&) {});
  ASSERT_TRUE(figures);
  EXPECT_EQ(figures->messages, 4U);
  EXPECT_EQ(figures->unreceived, 1U);
  ASSERT_EQ(figures->pairs.size(), 3U);
  const query::PairFlow& most = figures->pairs[0];
  EXPECT_EQ(trace->dictionary().lane(most.source).name, "QUEUE_SENSOR");
  EXPECT_EQ(most.messages, 2U);
  EXPECT_EQ(most.bytes, 16U);
  EXPECT_EQ(most.latencies.percentile(50), 5);
  EXPECT_EQ(most.latencies.most(), 11);
  // Nothing goes back after the last two that arrived.
  EXPECT_EQ(most.unanswered, 1U);
  EXPECT_EQ(figures->pairs[1].unanswered + figures->pairs[2].unanswered, 0U);
  ASSERT_EQ(figures->types.size(), 2U);
  EXPECT_EQ(trace->dictionary().type(figures->types[0].type).name, "MSG_TICK");
  EXPECT_EQ(figures->types[0].messages, 3U);
  EXPECT_EQ(figures->types[0].latencies.count(), 2U);
  EXPECT_EQ(figures->types[0].latencies.most(), 20);
  ASSERT_TRUE(run("panel.open", {{"panel", "traffic"}}));
  for (const char* view : {"chord", "matrix"}) {
    ASSERT_TRUE(run("panel.set", {{"panel", "traffic"}, {"option", "view"}, {"value", view}}));
    picture((std::string("traffic_") + view + ".png").c_str());
  }
  ASSERT_TRUE(run("panel.set", {{"panel", "traffic"}, {"option", "rows"}, {"value", "types"}}));
  ASSERT_TRUE(run("panel.set", {{"panel", "traffic"}, {"option", "answers"}, {"value", "on"}}));
  host_->workbench().show_only("traffic");
  picture("traffic_by_type.png");
}

TEST_F(SymbolsTest, InANarrowPlaceTheTableOfTrafficStandsAboveThePicture) {
  open_log();
  if (!host_) return;
  const std::filesystem::path file = session().trace()->path();
  const auto title_in = [&](int width, int height) {
    start(sized(width, height));
    EXPECT_TRUE(host_->open(file));
    EXPECT_TRUE(run("panel.open", {{"panel", "traffic"}}));
    host_->workbench().show_only("traffic");
    (void)picture("traffic_narrow.png");
    return find_text("From<");
  };
  const auto title = title_in(480, 900);
  ASSERT_TRUE(title) << shown_text();
  EXPECT_LT(title->y, 200);
  EXPECT_FALSE(title_in(480, 300)) << "no room for both";
  EXPECT_TRUE(find_text("The table needs more room")) << shown_text();
}

// A program knows its structs, a header the macros: both are chosen at once.
TEST_F(SymbolsTest, SeveralFilesAreChosenInTheDialog) {
  open_log();
  if (!host_) return;
  write("headers/queues.h", "#define QUEUE_SENSOR 0x10\n#define QUEUE_PUMP 0x20\n");
  write("headers/types.h", "enum MessageType { MSG_TICK = 1, MSG_SAMPLE };\n");
  const auto control_click = [&](float y) {
    for (const bool is_down : {false, true, false}) {
      Pointer pointer;
      pointer.x = 640;
      pointer.y = y;
      pointer.control = true;
      pointer.is_down = is_down;
      host_->frame({}, pointer);
    }
  };
  constexpr float kRowPx = 18;
  // Down the dialog, until two rows below each other are the two files.
  for (float y = 150; y < 500 && session().trace()->names().paths().size() != 2; y += 5) {
    Json args = ask_for_symbols(folder_.path() / "headers/log").args;
    ASSERT_TRUE(run("file.ask", args));
    ASSERT_TRUE(host_->settle());
    control_click(y);
    control_click(y + kRowPx);
    Input enter;
    enter.chords = {"Enter"};
    host_->frame(enter, {});
    ASSERT_TRUE(host_->settle());
    ASSERT_TRUE(run("file.ask", {{"shown", false}}));
  }
  EXPECT_EQ(session().trace()->names().paths().size(), 2U);
  EXPECT_EQ(lane_names()[1], "QUEUE_SENSOR");
}

}  // namespace
}  // namespace weft::app
