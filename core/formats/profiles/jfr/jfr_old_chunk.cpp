#include "core/formats/profiles/jfr/jfr_old_chunk.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/ascii.h"
#include "core/base/time.h"

namespace weft::formats::jfr {
namespace {

using Kind = Class::Kind;

struct Rename {
  std::string_view from, to;
};

// Modern names of events that the player, or people, know; others keep their own.
constexpr auto kEvents = std::to_array<Rename>({
    {"java/error_throw", "jdk.JavaErrorThrow"},
    {"java/exception_throw", "jdk.JavaExceptionThrow"},
    {"java/file_read", "jdk.FileRead"},
    {"java/file_write", "jdk.FileWrite"},
    {"java/monitor_enter", "jdk.JavaMonitorEnter"},
    {"java/monitor_wait", "jdk.JavaMonitorWait"},
    {"java/object_alloc_in_new_TLAB", "jdk.ObjectAllocationInNewTLAB"},
    {"java/object_alloc_outside_TLAB", "jdk.ObjectAllocationOutsideTLAB"},
    {"java/socket_read", "jdk.SocketRead"},
    {"java/socket_write", "jdk.SocketWrite"},
    {"java/statistics/class_loading", "jdk.ClassLoadingStatistics"},
    {"java/statistics/thread_allocation", "jdk.ThreadAllocationStatistics"},
    {"java/statistics/threads", "jdk.JavaThreadStatistics"},
    {"java/statistics/throwables", "jdk.ExceptionStatistics"},
    {"java/thread_end", "jdk.ThreadEnd"},
    {"java/thread_park", "jdk.ThreadPark"},
    {"java/thread_sleep", "jdk.ThreadSleep"},
    {"java/thread_start", "jdk.ThreadStart"},
    {"os/context_switch_rate", "jdk.ThreadContextSwitchRate"},
    {"os/cpu_load", "jdk.CPULoad"},
    {"os/information", "jdk.OSInformation"},
    {"os/memory/physical_memory", "jdk.PhysicalMemory"},
    {"os/processor/context_switch_rate", "jdk.ThreadContextSwitchRate"},
    {"os/processor/cpu_information", "jdk.CPUInformation"},
    {"os/processor/cpu_load", "jdk.CPULoad"},
    {"recordings/recording", "jdk.ActiveRecording"},
    {"recordings/recording_setting", "jdk.ActiveSetting"},
    {"vm/class/load", "jdk.ClassLoad"},
    {"vm/code_cache/stats", "jdk.CodeCacheStatistics"},
    {"vm/compiler/compilation", "jdk.Compilation"},
    {"vm/compiler/stats", "jdk.CompilerStatistics"},
    {"vm/gc/collector/garbage_collection", "jdk.GarbageCollection"},
    {"vm/gc/configuration/gc", "jdk.GCConfiguration"},
    {"vm/gc/heap/metaspace_summary", "jdk.MetaspaceSummary"},
    {"vm/gc/heap/summary", "jdk.GCHeapSummary"},
    {"vm/gc/phases/pause", "jdk.GCPhasePause"},
    {"vm/info", "jdk.JVMInformation"},
    {"vm/prof/execution_sample", "jdk.ExecutionSample"},
    {"vm/runtime/execute_vm_operation", "jdk.ExecuteVMOperation"},
});
constexpr auto kConstants = std::to_array<Rename>({
    {"Class", "java.lang.Class"},
    {"Method", "jdk.types.Method"},
    {"StackTrace", "jdk.types.StackTrace"},
    {"Thread", "java.lang.Thread"},
});
// An event's own `startTime` and `duration` are those of the recording that it tells of.
constexpr auto kEventFields = std::to_array<Rename>({
    {"duration", "recordingDuration"},
    {"javaThread", "thread"},
    {"javalangthread", "thread"},
    {"stacktrace", "stackTrace"},
    {"startTime", "recordingStart"},
});
constexpr auto kConstantFields = std::to_array<Rename>({{"class", "type"}, {"line", "lineNumber"}});

template <size_t kSize>
std::string_view renamed(const std::array<Rename, kSize>& names, std::string_view name,
                         std::string_view otherwise) {
  const auto it = std::ranges::find(names, name, &Rename::from);
  return it == names.end() ? otherwise : it->to;
}

// "vm/gc/heap/summary": "Java Virtual Machine", "GC", "Heap".
std::vector<std::string> categories_of(std::string_view path) {
  constexpr auto kNames = std::to_array<Rename>({{"vm", "Java Virtual Machine"},
                                                 {"java", "Java Application"},
                                                 {"os", "Operating System"},
                                                 {"recordings", "Flight Recorder"},
                                                 {"gc", "GC"}});
  std::vector<std::string> categories;
  for (size_t end = 0; (end = path.find('/')) != std::string_view::npos;
       path.remove_prefix(end + 1)) {
    const std::string_view part = path.substr(0, end);
    std::string& name = categories.emplace_back(renamed(kNames, part, part));
    std::ranges::replace(name, '_', ' ');
    if (!name.empty()) name.front() = to_upper(name.front());
  }
  return categories;
}

// Numbers of classes: those of events are as they are.
constexpr uint64_t kConstantIds = uint64_t{1} << 32, kStructureIds = uint64_t{2} << 32,
                   kPrimitiveIds = uint64_t{3} << 32, kKeyId = uint64_t{4} << 32;

enum class DataType : uint8_t { kU8 = 8, kUtf8 = 11, kArray = 13, kStructure, kStructureArray };
constexpr auto kPrimitives =
    std::to_array<Kind>({Kind::kBoolean, Kind::kByte, Kind::kUnsignedByte, Kind::kShort,
                         Kind::kChar, Kind::kInt, Kind::kUnsignedInt, Kind::kLong, Kind::kLong,
                         Kind::kFloat, Kind::kDouble, Kind::kShortUtf8, Kind::kCharacters});

// The meaning of a number, or its table of constants.
enum ContentType : uint32_t {
  kNone = 0,
  kMilliseconds = 3,
  kNanoseconds = 4,
  kTicks = 5,
  kThread = 7,
  kStackTrace = 9,
  kPercentage = 11
};

class MetadataReader {
 public:
  explicit MetadataReader(Cursor cursor) : cursor_(cursor) {
    for (size_t i = 0; i < kPrimitives.size(); ++i)
      chunk_.classes[kPrimitiveIds + i].kind = kPrimitives[i];
    chunk_.classes[kKeyId].kind = Kind::kKey;
  }

  Result<OldChunk> read() {
    cursor_.fixed<uint32_t>();  // size and type
    cursor_.fixed<uint32_t>();
    for (uint32_t i = count(); i > 0 && !cursor_.has_failed(); --i) read_producer();
    const auto begin_ms = cursor_.fixed<int64_t>();
    if (__builtin_mul_overflow(begin_ms, kNsPerMs, &chunk_.clock.begin_ns)) cursor_.fail();
    cursor_.fixed<int64_t>();  // its end
    chunk_.clock.begin_ticks = cursor_.fixed<int64_t>();
    chunk_.clock.ticks_per_second = cursor_.fixed<int64_t>();
    chunk_.constants_at = cursor_.fixed<uint64_t>();
    if (cursor_.has_failed()) return fail("the description of the events is damaged");
    for (auto& [id, of] : chunk_.classes) {
      // Threads are told apart by their numbers.
      if (of.name == "java.lang.Thread")
        of.fields.push_back({.name = "osThreadId", .of = &chunk_.classes[kKeyId]});
    }
    return std::move(chunk_);
  }

 private:
  // Each takes a byte at least.
  uint32_t count() {
    const auto count = cursor_.fixed<uint32_t>();
    if (count > cursor_.left()) cursor_.fail();
    return cursor_.has_failed() ? 0 : count;
  }
  std::string text() { return take_old_text(cursor_, Kind::kShortUtf8); }
  Class& class_at(uint64_t id) { return chunk_.classes[id]; }
  const Class* primitive(uint8_t type) {
    if (type >= kPrimitives.size()) cursor_.fail();
    return &class_at(kPrimitiveIds + std::min<size_t>(type, kPrimitives.size() - 1));
  }

  void read_producer() {
    cursor_.fixed<uint32_t>();                      // its number
    for (int i = 0; i < 3; ++i) text();             // its name, what it is, and its address
    for (uint32_t i = count(); i > 0; --i) text();  // how numbers relate to each other
    const uint64_t first = structures_;
    for (uint32_t i = count(); i > 0 && !cursor_.has_failed(); --i) read_structure(first);
    for (uint32_t i = count(); i > 0 && !cursor_.has_failed(); --i) read_event(first);
    for (uint32_t i = count(); i > 0 && !cursor_.has_failed(); --i) read_constants(first);
  }

  void read_structure(uint64_t first) {
    Class& of = class_at(kStructureIds + structures_++);
    for (uint32_t i = count(); i > 0 && !cursor_.has_failed(); --i)
      of.fields.push_back(read_field(first));
    // A stack frame is recognised by its fields alone.
    const auto has = [&](std::string_view name) {
      return std::ranges::find(of.fields, name, &Field::name) != of.fields.end();
    };
    if (has("method") && has("line")) {
      of.name = "jdk.types.StackFrame";
      rename(of.fields, kConstantFields);
    }
  }

  Field read_field(uint64_t first) {
    Field field{.name = text()};
    text();  // how it is shown, and what it is
    text();
    cursor_.byte();  // whether something comes from there
    const uint8_t type = cursor_.byte();
    const auto content = cursor_.fixed<uint32_t>();
    const auto structure = cursor_.fixed<uint32_t>();
    cursor_.fixed<uint32_t>();
    const auto data = static_cast<DataType>(type);
    if (data == DataType::kStructure || data == DataType::kStructureArray) {
      field.of = &class_at(kStructureIds + first + structure);
      field.is_array = data == DataType::kStructureArray;
      return field;
    }
    if (data == DataType::kArray) {
      field.of = primitive(static_cast<uint8_t>(structure));
      field.is_array = true;
      return field;
    }
    field.of = primitive(type);
    field.is_unsigned = data == DataType::kU8;
    field.unit = content == kTicks          ? Field::Unit::kTicks
                 : content == kNanoseconds  ? Field::Unit::kNanoseconds
                 : content == kMilliseconds ? Field::Unit::kMilliseconds
                                            : Field::Unit::kNone;
    if (data < DataType::kUtf8) point_to_constant(field, content);
    return field;
  }

  // A field whose number is the key of a constant.
  void point_to_constant(Field& field, uint32_t content) {
    if (content < kThread || content == kPercentage) return;
    field.key = field.of;
    field.of = &class_at(kConstantIds + content);
    field.is_constant = true;
  }

  template <size_t kSize>
  static void rename(std::vector<Field>& fields, const std::array<Rename, kSize>& names) {
    for (Field& field : fields) field.name = renamed(names, field.name, std::string(field.name));
  }

  std::vector<Field> fields_of(uint64_t first) {
    const uint64_t number = first + cursor_.fixed<uint32_t>();
    if (number >= structures_) cursor_.fail();
    return cursor_.has_failed() ? std::vector<Field>() : class_at(kStructureIds + number).fields;
  }

  void read_event(uint64_t first) {
    const auto id = cursor_.fixed<uint32_t>();
    const std::string label = text();
    text();  // what it is
    const std::string path = text();
    const bool has_begin = cursor_.byte() != 0, has_thread = cursor_.byte() != 0,
               has_stack = cursor_.byte() != 0;
    cursor_.byte();  // whether it can be asked for
    std::vector<Field> fields = fields_of(first);
    cursor_.fixed<uint32_t>();
    Class& of = class_at(id);
    of.name = renamed(kEvents, path, label);
    of.is_event = true;
    of.categories = categories_of(path);
    const Class* const number = primitive(static_cast<uint8_t>(DataType::kU8));
    of.fields.assign(1, {.name = "startTime", .of = number});
    if (has_begin)
      of.fields.push_back({.name = "duration", .of = number, .unit = Field::Unit::kTicks});
    constexpr uint8_t kU4 = 6;
    const auto add_constant = [&](std::string name, const Class* key, uint32_t content) {
      Field& field = of.fields.emplace_back(Field{.name = std::move(name), .of = key});
      point_to_constant(field, content);
    };
    if (has_thread) add_constant("eventThread", primitive(kU4), kThread);
    if (has_stack) add_constant("stackTrace", number, kStackTrace);
    rename(fields, kEventFields);
    if (of.name == "jdk.ExecutionSample") {
      for (Field& field : fields) {
        if (field.name == "thread") field.name = "sampledThread";
      }
    }
    std::ranges::move(fields, std::back_inserter(of.fields));
  }

  void read_constants(uint64_t first) {
    Class& of = class_at(kConstantIds + cursor_.fixed<uint32_t>());
    const std::string name = text();
    text();  // what they are
    of.key = primitive(cursor_.byte());
    of.fields = fields_of(first);
    of.name = renamed(kConstants, name, name);
    if (of.name == "jdk.types.Method") rename(of.fields, kConstantFields);
    if (of.name != "java.lang.Thread") return;
    for (Field& field : of.fields) {
      if (field.name == "name") field.name = "javaName";
    }
  }

  Cursor cursor_;
  OldChunk chunk_;
  uint64_t structures_ = 0;  // of all producers
};

// One checkpoint; where the one before is, 0: nowhere.
std::optional<uint64_t> add_checkpoint(Values& values, uint64_t at) {
  Cursor cursor = values.cursor_at(static_cast<size_t>(at));
  const auto size = cursor.fixed<uint32_t>();
  const auto type = cursor.fixed<uint32_t>();
  cursor.fixed<int64_t>();  // when
  const auto before = cursor.fixed<uint64_t>();
  if (cursor.has_failed() || type != 1 || size > cursor.left() + (cursor.at() - at))
    return std::nullopt;
  while (cursor.at() < at + size) {
    const Class* const of = values.class_at(kConstantIds + cursor.fixed<uint32_t>());
    if (of == nullptr || of->key == nullptr) return std::nullopt;
    for (auto n = cursor.fixed<uint32_t>(); n > 0; --n) {
      const Value key = values.take(cursor, *of->key);
      if (cursor.has_failed()) return std::nullopt;
      values.add_constant(cursor, *of, static_cast<uint64_t>(key.integer));
    }
    if (cursor.has_failed() || cursor.at() > at + size) return std::nullopt;
  }
  return before;
}

}  // namespace

Result<OldChunk> read_old_metadata(Cursor cursor) { return MetadataReader(cursor).read(); }

bool add_old_constants(Values& values, uint64_t at) {
  while (at != 0) {
    const auto before = add_checkpoint(values, at);
    if (!before || *before >= at) return false;
    at = *before;
  }
  return true;
}

Value take_old_event(const Values& values, Cursor& cursor, const Class& of) {
  Value event = values.take(cursor, of);
  constexpr size_t kBegin = 0, kDuration = 1;
  const bool has_begin = of.fields.size() > kDuration && of.fields[kDuration].name == "duration";
  if (!has_begin || cursor.has_failed()) return event;
  Value& first = event.parts[kBegin];
  Value& second = event.parts[kDuration];
  const int64_t end = std::exchange(first.integer, second.integer);
  if (__builtin_sub_overflow(end, first.integer, &second.integer)) second.integer = 0;
  return event;
}

}  // namespace weft::formats::jfr
