#include "core/formats/kernel/ctf_text/recording.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/time.h"
#include "core/formats/base/text.h"
#include "core/formats/kernel/ctf_text/fields.h"

namespace weft::formats::ctf_text {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostClasses = 1 << 14, kMostTraces = 1 << 10;
constexpr size_t kWriteBytes = 64 << 10;
constexpr uint64_t kNoCpu = 1 << 16;  // and above

void append_shapes(std::span<const Value> values, std::span<const size_t> members,
                   std::string& key) {
  for (const size_t at : members) {
    append_shape(values, at, key);
    key.append(values[at].name).push_back(',');
  }
}

}  // namespace

Result<std::unique_ptr<Recording>> Recording::create() {
  WEFT_TRY_ASSIGN(io::TemporaryFolder folder, io::TemporaryFolder::create());
  return std::unique_ptr<Recording>(new Recording(std::move(folder)));
}

std::string_view Recording::add(EventLine& line, Time time) {
  constexpr std::string_view kKindTooMany = "event of one kind too many";
  find_fields(line);
  const Fields& fields = fields_;
  Trace* const known = trace_of(line, fields);
  if (known == nullptr) return "event of one process too many";
  Trace& trace = *known;
  const Class* const stream_class = stream_class_of(trace, line, fields);
  if (stream_class == nullptr) return kKindTooMany;
  const Class* const event_class = event_class_of(trace, line, fields, stream_class->id);
  if (event_class == nullptr) return kKindTooMany;
  Stream& stream = stream_of(trace, stream_class->id, fields.cpu);
  append_number(event_class->id, stream.bytes);
  append_number(static_cast<uint64_t>(time.ticks), stream.bytes);
  for (const size_t at : fields.context) append_bytes(line.values, at, stream.bytes);
  for (const size_t at : fields.payload) append_bytes(line.values, at, stream.bytes);
  note_labels(trace, *stream_class, line, fields.context);
  note_labels(trace, *event_class, line, fields.payload);
  if (stream.bytes.size() >= kWriteBytes) write(stream);
  return {};
}

void Recording::note_labels(Trace& trace, const Class& its_class, const EventLine& line,
                            std::span<const size_t> members) {
  auto enumeration = its_class.enumerations.begin();
  if (enumeration == its_class.enumerations.end()) return;
  for (const size_t at : members) {
    for (size_t i = at; i < next_of(line.values, at);) {
      const Value& value = line.values[i];
      if (value.kind == ValueKind::kEnumeration)
        trace.labels[*enumeration++].try_emplace(value.integer, value.text);
      i = value.kind == ValueKind::kText ? next_of(line.values, i) : i + 1;
    }
  }
}

// The CPU is what the packet says, or the only number that stands for a packet without a name.
void Recording::find_fields(EventLine& line) {
  using Scope = Group::Scope;
  fields_.cpu.reset();
  fields_.context.clear();
  fields_.payload.clear();
  for (size_t i = 0; i < line.groups.size(); ++i) {
    const Group& group = line.groups[i];
    const bool is_last = i + 1 == line.groups.size();
    const bool is_payload =
        group.scope == Scope::kPayload || (group.scope == Scope::kUnnamed && is_last);
    const bool is_packet =
        group.scope == Scope::kPacket || (group.scope == Scope::kUnnamed && i == 0);
    const bool is_one = group.end == group.begin + 1;
    for (size_t at = group.begin; at < group.end; at = next_of(line.values, at)) {
      unify(line.values, at);
      const Value& value = line.values[at];
      const bool is_cpu = value.name == "cpu_id" || (value.name.empty() && is_one && !is_last);
      if (is_packet && is_cpu && value.kind == ValueKind::kInteger && value.integer < kNoCpu) {
        fields_.cpu = static_cast<uint32_t>(value.integer);
      } else {
        (is_payload ? fields_.payload : fields_.context).push_back(at);
      }
    }
  }
}

// Names of LTTng's user space have a provider before a colon, as perf's names of the kernel do;
// names with points, which the kernel does not have, are those of other tracers.
Recording::Domain Recording::domain_of(const EventLine& line, const Fields& fields) {
  const bool is_of_perf = std::ranges::any_of(fields.payload, [&](size_t at) {
    return line.values[at].name == "perf_cpu" || line.values[at].name == "perf_tid";
  });
  if (is_of_perf) return Domain::kKernel;
  if (line.name.find(':') != std::string_view::npos) return Domain::kUser;
  return fields.cpu && line.name.find('.') == std::string_view::npos ? Domain::kKernel
                                                                     : Domain::kOther;
}

// Null where there are too many.
Recording::Trace* Recording::trace_of(const EventLine& line, const Fields& fields) {
  const Domain domain = domain_of(line, fields);
  key_.assign(1, static_cast<char>(domain)).append(line.origin);
  if (const auto known = traces_.find(key_); known != traces_.end()) return &known->second;
  if (traces_.size() >= kMostTraces) return nullptr;
  Trace& trace = traces_[key_];
  trace.folder = folder_.path() / std::to_string(traces_.size());
  trace.origin = line.origin;
  trace.domain = domain;
  std::error_code error;
  fs::create_directory(trace.folder, error);
  is_broken_ = is_broken_ || error;
  return &trace;
}

// Known, or declared by `declare(id, declarations)`; null where there are too many.
template <class Declare>
const Recording::Class* Recording::class_of(Trace& trace, Classes& classes,
                                            const Declare& declare) {
  const auto known = classes.find(key_);
  if (known != classes.end()) return &known->second;
  if (classes_ >= kMostClasses) return nullptr;
  ++classes_;
  const auto id = static_cast<uint32_t>(classes.size());
  Declarations declarations(trace.declarations, trace.labels.size());
  declare(id, declarations);
  trace.declarations += " };\n";
  trace.labels.resize(trace.labels.size() + declarations.enumerations().size());
  return &classes.emplace(key_, Class{id, declarations.enumerations()}).first->second;
}

const Recording::Class* Recording::stream_class_of(Trace& trace, const EventLine& line,
                                                   const Fields& fields) {
  key_.assign(1, fields.cpu ? 'c' : '-');
  append_shapes(line.values, fields.context, key_);
  return class_of(trace, trace.stream_classes, [&](uint32_t id, Declarations& declarations) {
    trace.declarations += fmt::format(
        "stream {{ id = {}; event.header := struct {{ u32_t id; stamp_t timestamp; }};", id);
    if (fields.cpu) trace.declarations += " packet.context := struct { u32_t cpu_id; };";
    declarations.add("event.context", line.values, fields.context);
  });
}

const Recording::Class* Recording::event_class_of(Trace& trace, const EventLine& line,
                                                  const Fields& fields, uint32_t stream_class) {
  key_.clear();
  weft::append_number(key_, stream_class);
  key_.append(1, ' ').append(line.name).push_back('\0');
  append_shapes(line.values, fields.payload, key_);
  weft::append_number(key_, line.level.value_or(-1));
  key_ += line.model;
  return class_of(trace, trace.event_classes, [&](uint32_t id, Declarations& declarations) {
    trace.declarations += fmt::format("event {{ id = {}; name = {}; stream_id = {};", id,
                                      in_quotes(line.name), stream_class);
    if (line.level) trace.declarations += fmt::format(" loglevel = {};", *line.level);
    if (!line.model.empty())
      trace.declarations += " model.emf.uri = " + in_quotes(line.model) + ';';
    declarations.add("fields", line.values, fields.payload);
  });
}

Recording::Stream& Recording::stream_of(Trace& trace, uint32_t stream_class,
                                        std::optional<uint32_t> cpu) {
  const auto [at, is_new] = trace.streams.try_emplace(std::pair(stream_class, cpu));
  Stream& stream = at->second;
  if (!is_new) return stream;
  stream.file = trace.folder / fmt::format("stream {}", trace.streams.size());
  append_number(stream_class, stream.bytes);
  if (cpu) append_number(*cpu, stream.bytes);
  return stream;
}

void Recording::write(Stream& stream) {
  std::ofstream out(stream.file, std::ios::binary | std::ios::app);
  out.write(stream.bytes.data(), static_cast<std::streamsize>(stream.bytes.size()));
  is_broken_ = is_broken_ || !out.flush();
  stream.bytes.clear();
}

Result<std::vector<fs::path>> Recording::finish(Time begin) {
  std::vector<fs::path> folders;
  for (auto& [key, trace] : traces_) {
    for (auto& [which, stream] : trace.streams) write(stream);
    std::ofstream metadata(trace.folder / "metadata", std::ios::binary);
    metadata << metadata_of(trace, begin);
    is_broken_ = is_broken_ || !metadata.flush();
    folders.push_back(trace.folder);
  }
  if (is_broken_) return fail("cannot write to a temporary folder");
  return folders;
}

std::string Recording::metadata_of(const Trace& trace, Time begin) const {
  std::string out = "/* CTF 1.8 */\n";
  out += kSimpleTypes;
  out +=
      "trace { major = 1; minor = 8; byte_order = le;"
      " packet.header := struct { u32_t stream_id; }; };\n"
      "env {";
  // "host:process:number", each of which may lack.
  std::string_view origin = trace.origin;
  const auto take_part = [&] {
    const size_t size = std::min(origin.find(':'), origin.size());
    const std::string_view part = origin.substr(0, size);
    origin.remove_prefix(std::min(size + 1, origin.size()));
    return part;
  };
  if (const auto host = take_part(); !host.empty()) out += " hostname = " + in_quotes(host) + ';';
  if (const auto process = take_part(); !process.empty())
    out += " procname = " + in_quotes(process) + ';';
  if (const auto number = parse_number<uint32_t>(take_part()))
    out += fmt::format(" vpid = {};", *number);
  if (trace.domain == Domain::kKernel) out += " domain = \"kernel\";";
  if (trace.domain == Domain::kUser) out += " domain = \"ust\";";
  out += fmt::format(
      " }};\n"
      "clock {{ name = printed; freq = {}; offset_s = {}; }};\n"
      "typealias integer {{ size = 64; align = 8; signed = false; map = clock.printed.value; }} := "
      "stamp_t;\n",
      kNsPerSecond, begin.ticks / kNsPerSecond);
  for (size_t i = 0; i < trace.labels.size(); ++i) {
    std::string labels;
    for (const auto& [value, label] : trace.labels[i]) {
      if (label.empty()) continue;
      labels += fmt::format("{}{} = {}", labels.empty() ? "" : ", ", in_quotes(label),
                            static_cast<int64_t>(value));
    }
    out += labels.empty() ? "typealias i64_t" : "typealias enum : i64_t { " + labels + " }";
    out += " := " + enumeration_type(i) + ";\n";
  }
  return out + trace.declarations;
}

}  // namespace weft::formats::ctf_text
