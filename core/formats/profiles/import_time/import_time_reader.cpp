#include "core/formats/profiles/import_time/import_time_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"

namespace weft::formats {
namespace import_time {
namespace {

constexpr std::string_view kBegin = "import time: ";

struct Import {
  std::string_view name;
  int64_t self = 0, whole = 0;  // us
  size_t level = 0;             // within how many others
};

enum class Kind : uint8_t { kHeader, kImport, kCached, kOther };

// "import time:       356 |        405 |   codecs"
Kind parse(std::string_view line, Import& import) {
  if (!take_prefix(line, kBegin)) return Kind::kOther;
  const std::string_view self = trimmed(take_to(line, '|'));
  const std::string_view whole = trimmed(take_to(line, '|'));
  if (self == "self [us]") return Kind::kHeader;
  if (self == "cached") return Kind::kCached;  // since Python 3.14, where asked for
  const auto self_us = parse_number<int64_t>(self), whole_us = parse_number<int64_t>(whole);
  import.name = trimmed(line);
  if (!self_us || !whole_us || *self_us < 0 || *whole_us < 0 || import.name.empty())
    return Kind::kOther;
  import.self = *self_us;
  import.whole = *whole_us;
  constexpr size_t kSpacesOfLevel = 2;  // behind one that each has
  import.level = line.find_first_not_of(' ') / kSpacesOfLevel;
  return Kind::kImport;
}

class Reader {
 public:
  explicit Reader(trace::EventSink& sink) : sink_(sink) {
    sink_.set_time_base(TimeBase::kMicroseconds);
  }

  void add(const io::Line& line) {
    offset_ = line.offset;
    Import import;
    switch (parse(line.text, import)) {
      case Kind::kHeader:  // each process writes one
        finish();
        lane_ = LaneId::none();
        clock_ = Time{};
        return;
      case Kind::kImport:
        return add(import);
      case Kind::kCached:
        return sink_.note("import of a module that was there already", offset_);
      case Kind::kOther:
        if (line.is_open && line.text.starts_with(kBegin))
          return sink_.loss("line that the end of the input cuts off", offset_);
        return sink_.note("line that is not of an import", offset_);
    }
  }

  // What others would have imported whose lines are missing.
  void finish() {
    if (!open_.empty()) sink_.loss("import by a module that is not there", offset_, open_.size());
    give();
  }

 private:
  // A module behind what it imported.
  struct Node {
    size_t level;
    Duration since_parent;  // from the begin of the one that imports it
    Duration length;
    int64_t self;
    EventTypeId type;
  };

  void add(const Import& import) {
    constexpr size_t kMost = size_t{1} << 20;
    if (nodes_.size() == kMost) finish();
    size_t first = open_.size();
    while (first > 0 && nodes_[open_[first - 1]].level > import.level) --first;
    Duration within{};
    for (size_t i = first; i < open_.size(); ++i) {
      Node& imported = nodes_[open_[i]];
      imported.since_parent = within;
      within = within + imported.length;
    }
    open_.resize(first);
    open_.push_back(nodes_.size());
    // Each is rounded up, so that their sum may be longer.
    nodes_.push_back({import.level,
                      {},
                      std::max(Duration{import.whole}, within),
                      import.self,
                      sink_.type(trace::Category::kState, valid_utf8(import.name), "import")});
    if (import.level > 0) return;
    give();
  }

  // Gives what is known, one behind the other. An import's own lie before it in the list.
  void give() {
    if (nodes_.empty()) return;
    if (lane_.is_none()) {
      const std::string name = lanes_ == 0 ? "imports" : fmt::format("imports {}", lanes_ + 1);
      lane_ = sink_.add_lane({.name = name, .kind = trace::LaneKind::kThread});
      ++lanes_;
    }
    Time end = clock_;
    for (const size_t root : open_) {
      nodes_[root].since_parent = end - clock_;
      end = end + nodes_[root].length;
    }
    struct Importer {
      size_t level;
      Time begin;
    };
    std::vector<Importer> importers;
    ArgsText params;
    size_t roots = open_.size();
    for (size_t i = nodes_.size(); i-- > 0;) {
      const Node& node = nodes_[i];
      const bool is_root = roots > 0 && open_[roots - 1] == i;
      if (is_root) {
        importers.clear();
        --roots;
      }
      while (!importers.empty() && importers.back().level >= node.level) importers.pop_back();
      const Time begin = (importers.empty() ? clock_ : importers.back().begin) + node.since_parent;
      importers.push_back({node.level, begin});
      params.add("self", node.self);
      sink_.give(trace::StateEvent{.begin = begin,
                                   .duration = node.length,
                                   .params = sink_.params(params.take()),
                                   .lane = lane_,
                                   .type = node.type});
    }
    clock_ = end;
    nodes_.clear();
    open_.clear();
  }

  trace::EventSink& sink_;
  std::vector<Node> nodes_;
  std::vector<size_t> open_;  // those whose importer has not come
  LaneId lane_ = LaneId::none();
  size_t lanes_ = 0;
  Time clock_;  // where the next begins
  uint64_t offset_ = 0;
};

}  // namespace
}  // namespace import_time

int sniff_import_time(std::span<const std::byte> head) {
  constexpr int kSure = 95, kNoHeader = 85;
  std::string_view text = as_chars(head);
  import_time::Import import;
  int imports = 0;
  while (!text.empty()) {
    const auto kind = import_time::parse(take_to(text, '\n'), import);
    if (kind == import_time::Kind::kHeader) return kSure;
    if (kind == import_time::Kind::kImport && ++imports > 1) return kNoHeader;
  }
  return 0;
}

Status read_import_time(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  import_time::Reader reader(sink);
  for_each_line(source, sink, [&](const io::Line& line) { reader.add(line); });
  reader.finish();
  return {};
}

}  // namespace weft::formats
