#include "core/formats/hpc/projections/projections_reader.h"

#include <fmt/core.h>

#include <map>

#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/hpc/projections/projections_log.h"
#include "core/formats/hpc/projections/projections_messages.h"
#include "core/formats/hpc/projections/projections_run.h"
#include "core/formats/hpc/projections/projections_table.h"

namespace weft::formats {
namespace {

using projections::RunFiles;

constexpr std::string_view kLogBegin = "PROJECTIONS-RECORD", kTableBegin = "PROJECTIONS_ID";

class ProjectionsReader {
 public:
  ProjectionsReader(io::Source& source, trace::EventSink& sink, const ReadContext& context)
      : source_(source), sink_(sink), messages_(sink, context.memory_bytes / 2) {
    sink_.set_time_base(TimeBase::kMicroseconds);
  }

  Status read() {
    WEFT_TRY_ASSIGN(const std::span<const std::byte> head, source_.peek(kLogBegin.size()));
    const std::string_view begin = as_chars(head);
    const bool is_log = begin.starts_with(kLogBegin);
    files_ = projections::files_beside(source_.path());
    read_table(is_log);
    if (is_log && files_.logs.empty()) files_.logs.push_back({0, source_.path()});
    for (const RunFiles::Log& log : files_.logs) add_lane(log.pe);
    for (const RunFiles::Log& log : files_.logs) {
      const bool is_given = is_log && is_same(log.path);
      is_given ? read_log(log.pe, source_) : read_log(log);
      if (!sink_.keep_going()) break;
    }
    messages_.finish();
    const uint64_t processors = table_.processors();
    if (processors > files_.logs.size()) {
      sink_.loss("log of a PE that is not there", trace::LossPlace::nowhere(),
                 processors - files_.logs.size());
    }
    return {};
  }

 private:
  bool is_same(const std::filesystem::path& path) const {
    return path.filename() == source_.path().filename();
  }

  void read_table(bool is_log) {
    if (!is_log) return table_.read(source_, sink_);
    if (!files_.table.empty()) {
      auto source = io::Source::open(files_.table);
      if (source) return table_.read(**source, sink_);
    }
    sink_.note("no .sts file beside the log: what has no name has a number",
               trace::LossPlace::nowhere());
  }

  void read_log(const RunFiles::Log& log) {
    auto source = io::Source::open(log.path);
    if (source) return read_log(log.pe, **source);
    sink_.loss("log of a PE that cannot be read: " + source.error().message,
               trace::LossPlace::nowhere());
  }

  void read_log(uint32_t pe, io::Source& source) {
    projections::PeLog log(table_, messages_, lanes_.at(pe), sink_);
    for_each_line(source, sink_, [&](const io::Line& line) {
      // Some write it before each part.
      if (line.text.starts_with(kLogBegin)) return;
      log.add(line.text, line.offset);
    });
    log.finish(source.offset());
  }

  void add_lane(uint32_t pe) {
    const auto order = static_cast<int32_t>(pe & 0x7FFFFFFF);
    trace::Lane lane{
        .name = fmt::format("PE {}", pe), .kind = trace::LaneKind::kProcess, .sort_index = order};
    if (const auto node = table_.node_of(pe)) {
      const auto [it, is_new] = nodes_.try_emplace(*node, LaneId::none());
      if (is_new) {
        it->second = sink_.add_lane({.name = fmt::format("node {}", *node),
                                     .kind = trace::LaneKind::kProcess,
                                     .sort_index = static_cast<int32_t>(*node & 0x7FFFFFFF)});
      }
      lane.parent = it->second;
      lane.kind = trace::LaneKind::kThread;
      if (table_.is_communication_thread(pe)) lane.name += " (communication)";
    }
    lanes_[pe] = sink_.add_lane(lane);
  }

  io::Source& source_;
  trace::EventSink& sink_;
  RunFiles files_;
  projections::Table table_;
  projections::Messages messages_;
  std::map<uint32_t, LaneId> lanes_, nodes_;
};

}  // namespace

int sniff_projections(std::span<const std::byte> head) {
  constexpr int kCertain = 100, kSure = 95;
  const std::string_view text = as_chars(head);
  if (text.starts_with(kLogBegin) || text.starts_with(kTableBegin)) return kCertain;
  // Old tables begin with their version.
  const bool is_old = text.starts_with("VERSION ") && text.contains("\nMACHINE ") &&
                      text.contains("\nTOTAL_CHARES ");
  return is_old ? kSure : 0;
}

Status read_projections(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  return ProjectionsReader(source, sink, context).read();
}

std::string projections_run(std::string_view file_name) { return projections::run_of(file_name); }

}  // namespace weft::formats
