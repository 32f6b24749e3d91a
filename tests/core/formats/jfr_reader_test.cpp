// covers FS-62, R7
#include "core/formats/profiles/jfr/jfr_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/core/formats/bytes.h"
#include "tests/core/formats/case_folder.h"

namespace weft::formats {
namespace {

using test::Bytes;

// A node in the description of the events.
struct Node {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<Node> children;
};

constexpr uint64_t kBooleanClass = 9, kIntClass = 10, kLongClass = 11, kFloatClass = 12,
                   kTextClass = 20, kSymbolClass = 21, kClassClass = 22, kThreadClass = 23,
                   kMethodClass = 24, kFrameClass = 25, kTraceClass = 26, kSizesClass = 27;
constexpr uint64_t kParkEvent = 100, kSampleEvent = 101, kLoadEvent = 102, kEnterEvent = 103,
                   kPhaseEvent = 104, kMetaspaceEvent = 105, kCodeEvent = 106;

Node field(std::string name, uint64_t of, bool is_constant = false, std::string unit = "") {
  Node made{"field", {{"name", std::move(name)}, {"class", std::to_string(of)}}, {}};
  if (is_constant) made.attributes.emplace_back("constantPool", "true");
  if (!unit.empty())
    made.children.push_back({"annotation", {{"class", "30"}, {"value", std::move(unit)}}, {}});
  return made;
}

Node class_node(uint64_t id, std::string name, std::vector<Node> children, bool is_event = false) {
  Node made{"class", {{"id", std::to_string(id)}, {"name", std::move(name)}}, std::move(children)};
  if (is_event) made.attributes.emplace_back("superType", "jdk.jfr.Event");
  return made;
}

Node description() {
  Node frames = field("frames", kFrameClass);
  frames.attributes.emplace_back("dimension", "1");
  const Node category{
      "annotation", {{"class", "31"}, {"value-0", "Java Virtual Machine"}, {"value-1", "GC"}}, {}};
  Node address = field("startAddress", kLongClass);
  address.children.push_back({"annotation", {{"class", "32"}}, {}});
  std::vector<Node> classes = {
      class_node(kBooleanClass, "boolean", {}),
      class_node(kIntClass, "int", {}),
      class_node(kLongClass, "long", {}),
      class_node(kFloatClass, "float", {}),
      class_node(kTextClass, "java.lang.String", {}),
      class_node(kSymbolClass, "jdk.types.Symbol", {field("string", kTextClass)}),
      class_node(kClassClass, "java.lang.Class", {field("name", kSymbolClass, true)}),
      class_node(kThreadClass, "java.lang.Thread",
                 {field("osName", kTextClass), field("osThreadId", kLongClass),
                  field("javaName", kTextClass)}),
      class_node(kMethodClass, "jdk.types.Method",
                 {field("type", kClassClass, true), field("name", kSymbolClass, true)}),
      class_node(kFrameClass, "jdk.types.StackFrame",
                 {field("method", kMethodClass, true), field("lineNumber", kIntClass)}),
      class_node(kTraceClass, "jdk.types.StackTrace", {field("truncated", kBooleanClass), frames}),
      class_node(30, "jdk.jfr.Timespan", {}),
      class_node(31, "jdk.jfr.Category", {}),
      class_node(kParkEvent, "jdk.ThreadPark",
                 {field("startTime", kLongClass), field("duration", kLongClass, false, "TICKS"),
                  field("eventThread", kThreadClass, true), field("stackTrace", kTraceClass, true),
                  field("parkedClass", kClassClass, true),
                  field("timeout", kLongClass, false, "NANOSECONDS")},
                 true),
      class_node(kSampleEvent, "jdk.ExecutionSample",
                 {field("startTime", kLongClass), field("sampledThread", kThreadClass, true),
                  field("stackTrace", kTraceClass, true)},
                 true),
      class_node(kLoadEvent, "jdk.CPULoad",
                 {field("startTime", kLongClass), field("jvmUser", kFloatClass)}, true),
      class_node(
          kEnterEvent, "jdk.JavaMonitorEnter",
          {field("startTime", kLongClass), field("duration", kLongClass, false, "TICKS"),
           field("eventThread", kThreadClass, true), field("previousOwner", kThreadClass, true)},
          true),
      class_node(kSizesClass, "jdk.types.MetaspaceSizes",
                 {field("committed", kLongClass), field("used", kLongClass)}),
      class_node(32, "jdk.jfr.MemoryAddress", {}),
      class_node(kMetaspaceEvent, "jdk.MetaspaceSummary",
                 {field("startTime", kLongClass), field("gcId", kIntClass),
                  field("metaspace", kSizesClass)},
                 true),
      class_node(kCodeEvent, "jdk.CodeCacheStatistics",
                 {category, field("startTime", kLongClass), field("codeBlobType", kTextClass),
                  address, field("entryCount", kIntClass)},
                 true),
      class_node(kPhaseEvent, "jdk.GCPhase",
                 {category, field("startTime", kLongClass), field("name", kTextClass)}, true),
  };
  return {"root", {}, {{"metadata", {}, std::move(classes)}, {"region", {{"locale", "en"}}, {}}}};
}

// Seven bits a byte, as long as there are more; eight in a ninth.
std::string compressed(uint64_t value) {
  std::string bytes;
  for (int i = 0; i < 8; ++i, value >>= 7) {
    bytes += static_cast<char>(value < 128 ? value : value | 128);
    if (value < 128) return bytes;
  }
  return bytes + static_cast<char>(value);
}

// Integers of a chunk: compressed, or as wide as they are.
class Chunk {
 public:
  // `events`: what the names of events begin with.
  explicit Chunk(bool is_compressed, std::string_view events = "jdk.")
      : is_compressed_(is_compressed), events_(events) {}

  template <class Value>
  std::string number(Value value) const {
    return is_compressed_ ? compressed(static_cast<std::make_unsigned_t<Value>>(value))
                          : Bytes().big(value).str();
  }
  std::string utf8(std::string_view text) const {
    return '\3' + number(static_cast<int32_t>(text.size())) + std::string(text);
  }
  // Its size, with the bytes that say it, and what is in it.
  std::string event(int64_t type, const std::string& content) const {
    const std::string rest = number(type) + content;
    if (!is_compressed_) return number(static_cast<int32_t>(rest.size() + 4)) + rest;
    const size_t size = rest.size() + (rest.size() + 1 < 128 ? 1 : 2);
    return number(static_cast<int32_t>(size)) + rest;
  }

  std::string metadata() const {
    std::vector<std::string> texts;
    const std::string tree = tree_of(description(), texts);
    std::string content = number(int64_t{0}) + number(int64_t{0}) + number(int64_t{1});
    content += number(static_cast<int32_t>(texts.size()));
    for (const std::string& text : texts) {
      const bool is_event = text.starts_with("jdk.") && text.find('.', 4) == std::string::npos;
      content += utf8(is_event ? std::string(events_) + text.substr(4) : text);
    }
    return event(0, content + tree);
  }
  // `before`: how far before this one the one before is.
  std::string checkpoint(int64_t before, const std::vector<std::string>& pools) const {
    std::string content = number(int64_t{0}) + number(int64_t{0}) + number(before) + '\0';
    content += number(static_cast<int32_t>(pools.size()));
    for (const std::string& pool : pools) content += pool;
    return event(1, content);
  }
  std::string pool(uint64_t of, const std::vector<std::string>& constants) const {
    std::string all =
        number(static_cast<int64_t>(of)) + number(static_cast<int32_t>(constants.size()));
    for (size_t i = 0; i < constants.size(); ++i)
      all += number(static_cast<int64_t>(i + 1)) + constants[i];
    return all;
  }
  std::string file(const std::string& events, const std::vector<std::string>& early,
                   const std::vector<std::string>& late) const {
    constexpr size_t kHeader = 68;
    const std::string first = checkpoint(0, early), described = metadata();
    const size_t first_at = kHeader + events.size(), described_at = first_at + first.size();
    const size_t last_at = described_at + described.size();
    const std::string last =
        checkpoint(static_cast<int64_t>(first_at) - static_cast<int64_t>(last_at), late);
    Bytes header;
    header.text(std::string("FLR\0", 4)).big(uint16_t{2}).big(uint16_t{1});
    header.big(uint64_t{last_at + last.size()}).big(uint64_t{last_at}).big(uint64_t{described_at});
    header.big(int64_t{5'000'000'000}).big(int64_t{1'000'000'000});  // begin and length
    header.big(int64_t{1000}).big(int64_t{10'000'000});              // ticks of 100 ns
    header.big(uint32_t{is_compressed_ ? 1u : 0u});
    return header.str() + events + first + described + last;
  }

 private:
  std::string index_of(const std::string& text, std::vector<std::string>& texts) const {
    const auto it = std::ranges::find(texts, text);
    const auto i = static_cast<int32_t>(it - texts.begin());
    if (it == texts.end()) texts.push_back(text);
    return number(i);
  }
  std::string tree_of(const Node& node, std::vector<std::string>& texts) const {
    std::string tree = index_of(node.name, texts);
    tree += number(static_cast<int32_t>(node.attributes.size()));
    for (const auto& [key, value] : node.attributes) {
      const std::string index_of_value = index_of(value, texts);
      tree += index_of(key, texts) + index_of_value;
    }
    tree += number(static_cast<int32_t>(node.children.size()));
    for (const Node& child : node.children) tree += tree_of(child, texts);
    return tree;
  }

  bool is_compressed_;
  std::string_view events_;
};

std::string recording(bool is_compressed, std::string_view names = "jdk.") {
  const Chunk chunk(is_compressed, names);
  const auto n = [&](int64_t value) { return chunk.number(value); };
  const auto latin1 = [&](std::string_view text) {
    return '\5' + chunk.number(static_cast<int32_t>(text.size())) + std::string(text);
  };
  const auto java = [&](const std::vector<uint16_t>& text) {
    std::string all = '\4' + chunk.number(static_cast<int32_t>(text.size()));
    for (const uint16_t c : text) all += chunk.number(c);
    return all;
  };
  const std::string null(1, '\0'), empty = "\1";
  const auto frames = [&](const std::vector<std::pair<int64_t, int32_t>>& of) {
    std::string all = std::string(1, '\0') + chunk.number(static_cast<int32_t>(of.size()));
    for (const auto& [method, line] : of) all += n(method) + chunk.number(line);
    return all;
  };
  const std::string real = Bytes().big(std::bit_cast<uint32_t>(0.25F)).str();
  std::string events;
  // The thread that waits, and what it waits for; 20 µs after the begin for 5 µs.
  events += chunk.event(kParkEvent, n(1200) + n(50) + n(1) + n(1) + n(1) + n(-1));
  // Not in order: the later sample first.
  events += chunk.event(kSampleEvent, n(401'000) + n(1) + n(2));
  events += chunk.event(kSampleEvent, n(201'000) + n(1) + n(1));
  events += chunk.event(kLoadEvent, n(2000) + real);
  events += chunk.event(kEnterEvent, n(3000) + n(100) + n(2) + n(1));
  events += chunk.event(kPhaseEvent, n(4000) + java({'M', 0xE4, 0x20AC}));
  events += chunk.event(kPhaseEvent, n(4001) + null);
  events += chunk.event(kPhaseEvent, n(4002) + '\2' + n(1));
  events += chunk.event(kMetaspaceEvent, n(5000) + chunk.number(int32_t{7}) + n(4096) + n(1024));
  for (const auto& [which, entries] : {std::pair("CodeHeap 'profiled'", 5), std::pair("a/b", 6)})
    events += chunk.event(
        kCodeEvent, n(5100) + chunk.utf8(which) + n(1 << 20) + chunk.number(int32_t{entries}));
  const std::vector<std::string> early = {
      chunk.pool(kSymbolClass,
                 {chunk.utf8("java/util/Queue"), chunk.utf8("take"), latin1("r\xFCn")}),
      chunk.pool(kClassClass, {n(1)}),
  };
  const std::vector<std::string> late = {
      chunk.pool(kMethodClass, {n(1) + n(2), n(1) + n(3)}),
      chunk.pool(kTraceClass, {frames({{1, 7}, {2, 12}}), frames({{2, 13}})}),
      chunk.pool(kThreadClass, {chunk.utf8("os-1") + n(41) + chunk.utf8("worker"),
                                chunk.utf8("GC Thread#0") + n(42) + empty}),
      chunk.pool(kTextClass, {chunk.utf8("of the constants")}),
  };
  return chunk.file(events, early, late);
}

TEST(Jfr, ReadsAsWritten) {
  const std::string all = recording(true);
  test::expect_case("jfr/succeed/everything.jfr", all);
  test::expect_case("jfr/succeed/wide.jfr", recording(false));
  test::expect_case("jfr/succeed/two_chunks.jfr", all + all);
  std::string damaged = all;
  damaged[68 + 1] = '\x63';  // an event of a kind that nobody describes
  damaged.replace(damaged.find("worker") - 2, 1, "\x09");  // a text in no encoding
  test::expect_case("jfr/fail/damaged.jfr", damaged);
  std::string open = all;
  open.replace(8, 8, 8, '\0');  // its writer did not end
  test::expect_case("jfr/fail/not_finished.jfr", all + open);
}

TEST(Jfr, KnowsTheNamesOfJdk9) {
  std::string old = recording(true, "com.oracle.jdk.");
  old[5] = '\1';
  const test::ScratchFolder folder;
  const auto reading = test::read(folder.write("old.jfr", old));
  const auto modern = test::read(folder.write("modern.jfr", recording(true)));
  EXPECT_EQ(reading->text(), modern->text());
}

// The format of JDK 7 and 8. What describes is a text of what comes after each other.
class OldChunk {
 public:
  static std::string text(std::string_view text) {
    return Bytes().big(static_cast<uint16_t>(text.size())).text(text).str();
  }
  static std::string u4(uint32_t value) { return Bytes().big(value).str(); }
  static std::string u8(uint64_t value) { return Bytes().big(value).str(); }
  static std::string list(const std::vector<std::string>& all) {
    std::string bytes = u4(static_cast<uint32_t>(all.size()));
    for (const std::string& each : all) bytes += each;
    return bytes;
  }
  static std::string field(std::string_view name, char type, uint32_t content = 0,
                           uint32_t structure = 0) {
    return text(name) + text("Shown") + text("") + std::string{'\0', type} + u4(content) +
           u4(structure) + u4(0);
  }
  // `has`: a begin, a thread, a stack.
  static std::string event(uint32_t id, std::string_view label, std::string_view path,
                           const std::string& has, uint32_t structure) {
    return u4(id) + text(label) + text("") + text(path) + has + '\0' + u4(structure) + u4(0);
  }
  static std::string constants(uint32_t id, std::string_view name, char key, uint32_t structure) {
    return u4(id) + text(name) + text("") + key + u4(structure);
  }
  static std::string record(uint32_t type, const std::string& content) {
    return u4(static_cast<uint32_t>(content.size() + 8)) + u4(type) + content;
  }
};

std::string old_description(uint64_t last_checkpoint) {
  using O = OldChunk;
  constexpr char kBoolean = 0, kU2 = 4, kInt = 5, kU4 = 6, kLong = 7, kU8 = 8, kFloat = 9,
                 kUtf8 = 11, kString = 12, kArray = 13, kStructure = 14, kStructures = 15;
  const std::string structures = O::list({
      O::list({O::field("name", kUtf8)}),                                // 0: a thread
      O::list({O::field("thread", kU4, 7)}),                             // 1: of Java
      O::list({O::field("name", kU8, 33)}),                              // 2: a class
      O::list({O::field("utf8", kUtf8)}),                                // 3: a text
      O::list({O::field("class", kU8, 10), O::field("name", kU8, 33)}),  // 4: a method
      O::list({O::field("truncated", kBoolean), O::field("frames", kStructures, 0, 6)}),  // 5
      O::list({O::field("method", kU8, 32), O::field("line", kInt)}),  // 6: a frame
      O::list({O::field("klass", kU8, 10), O::field("notifier", kLong, 8),
               O::field("timeout", kLong, 3), O::field("address", kU8, 6)}),  // 7: a wait
      O::list({O::field("jvmUser", kFloat, 11)}),                             // 8
      O::list({O::field("thread", kU4, 7), O::field("stacktrace", kU8, 9)}),  // 9: a sample
      O::list({O::field("startTime", kLong, 2), O::field("duration", kLong, 3),
               O::field("name", kString), O::field("ids", kArray, 0, kU2),
               O::field("size", kStructure, 0, 8)}),  // 10
  });
  const std::string events = O::list({
      O::event(20, "Java Monitor Wait", "java/monitor_wait", {1, 1, 1}, 7),
      O::event(21, "CPU Load", "os/processor/cpu_load", {0, 0, 0}, 8),
      O::event(22, "Method Profiling Sample", "vm/prof/execution_sample", {0, 0, 0}, 9),
      O::event(23, "Flight Recording", "recordings/recording", {0, 0, 0}, 10),
      O::event(24, "GC of its own", "vm/gc/code_cache/own", {0, 1, 0}, 8),
  });
  const std::string constants = O::list({
      O::constants(7, "Thread", kU4, 0),
      O::constants(8, "JavaThread", kU8, 1),
      O::constants(9, "StackTrace", kU8, 5),
      O::constants(10, "Class", kU8, 2),
      O::constants(32, "Method", kU8, 4),
      O::constants(33, "UTFConstant", kU8, 3),
  });
  const std::string producer = O::u4(1) + O::text("JVM") + O::text("") + O::text("http://jvm/") +
                               O::list({O::text("id")}) + structures + events + constants;
  // Begins 5 s after 1970, at 1000 ticks of 100 ns.
  return O::record(0, O::list({producer}) + O::u8(5000) + O::u8(6000) + O::u8(1000) +
                          O::u8(10'000'000) + O::u8(last_checkpoint) + O::text("en") + O::u4(0));
}

std::string old_recording() {
  using O = OldChunk;
  constexpr uint64_t kBegin = 1000;
  const auto at = [](uint64_t ticks) { return O::u8(kBegin + ticks); };
  const std::string quarter = Bytes().big(std::bit_cast<uint32_t>(0.25F)).str();
  std::string body;
  const auto place = [&] { return uint64_t{16} + body.size(); };
  body += O::record(20, at(250) + at(200) + O::u4(41) + O::u8(1) + O::u8(1) + O::u8(77) +
                            O::u8(956) + O::u8(4096));
  body += O::record(21, at(300) + quarter);
  const uint64_t first = place();
  body += O::record(1, at(300) + O::u8(0) + O::u4(33) +
                           O::list({O::u8(1) + O::text("java/util/Queue"),
                                    O::u8(2) + O::text("take"), O::u8(3) + O::text("r\xC3\xBCn")}) +
                           O::u4(10) + O::list({O::u8(1) + O::u8(1)}));
  body += O::record(22, at(2000) + O::u4(41) + O::u8(1));
  body += O::record(
      23, at(2001) + O::u8(4711) + O::u8(60'000) + O::u4(2) + std::string("\0M\x20\xAC", 4) +
              O::list({std::string("\0\1", 2), std::string("\xFF\xFF", 2)}) + quarter);
  body += O::record(24, at(2002) + O::u4(42) + quarter);
  body += O::record(2, at(2003) + O::u4(41) + O::u4(9999));
  const uint64_t last = place();
  const auto frame = [](uint64_t method, uint32_t line) { return O::u8(method) + O::u4(line); };
  body += O::record(
      1, at(3000) + O::u8(first) + O::u4(7) +
             O::list({O::u4(41) + O::text("worker"), O::u4(42) + O::text("worker")}) + O::u4(8) +
             O::list({O::u8(77) + O::u4(42)}) + O::u4(32) +
             O::list({O::u8(1) + O::u8(1) + O::u8(2), O::u8(2) + O::u8(1) + O::u8(3)}) + O::u4(9) +
             O::list({O::u8(1) + '\0' + O::list({frame(1, 7), frame(2, 12)})}));
  const std::string metadata = old_description(last);
  return Bytes()
             .text(std::string("FLR\0", 4))
             .big(uint16_t{0})
             .big(uint16_t{9})
             .big(uint64_t{16 + body.size()})
             .str() +
         body + metadata;
}

TEST(Jfr, ReadsWhatJdk8Wrote) {
  const std::string all = old_recording();
  test::expect_case("jfr/succeed/old.jfr", all + all);
  std::string damaged = all;
  damaged[16 + 7] = '\x63';  // an event of a kind that nobody describes
  damaged.replace(damaged.find("worker") - 1, 1, "\xFF");  // a text that does not end
  test::expect_case("jfr/fail/old_damaged.jfr", damaged);
  std::string open = all;
  open.replace(8, 8, 8, '\0');  // its writer did not end
  test::expect_case("jfr/fail/old_not_finished.jfr", all + open);
  std::string far = all;
  far.replace(8, 8, 8, '\xFF');
  test::expect_case("jfr/fail/old_far.jfr", far);
}

}  // namespace
}  // namespace weft::formats
