#include "core/formats/embedded/btf/btf_reader.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/base/text.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/embedded/btf/btf_line.h"
#include "core/formats/embedded/btf/btf_player.h"

namespace weft::formats {
namespace {

struct Scale {
  std::string_view name;
  TimeBase base;
};
constexpr Scale kScales[] = {{"ps", TimeBase::kPicoseconds},
                             {"ns", TimeBase::kNanoseconds},
                             {"us", TimeBase::kMicroseconds},
                             {"ms", TimeBase::kMilliseconds},
                             {"s", TimeBase::kSeconds}};

class BtfReader {
 public:
  explicit BtfReader(trace::EventSink& sink) : sink_(sink), player_(sink) {}

  void add(const io::Line& text) {
    if (text.text.front() == '#') return add_header(text.text.substr(1), text.offset);
    auto line = btf::parse_line(text.text);
    if (!line) return sink_.loss("line that is not an event", text.offset);
    line->source = name_of(names_, line->source);
    line->target = name_of(names_, line->target);
    line->type = name_of(types_, line->type);
    is_begun_ = true;
    player_.add(*line, text.offset);
  }
  void finish() { player_.finish(); }

 private:
  using Table = std::unordered_map<int64_t, std::string>;

  // "timeScale ns"; in a table: "17-TASK_A".
  void add_header(std::string_view text, uint64_t offset) {
    if (const auto number = take_number<int64_t>(text); number && text.starts_with('-')) {
      if (table_ != nullptr) (*table_)[*number] = trimmed(text.substr(1));
      return;
    }
    const std::string_view key = take_word(text), value = trimmed(text);
    table_ = key == "entityTable" ? &names_ : key == "typeTable" ? &types_ : nullptr;
    if (key == "timeScale" || key == "timescale") {
      const auto* const scale = std::ranges::find(kScales, value, &Scale::name);
      if (scale == std::end(kScales)) return sink_.loss("scale of time that is none", offset);
      if (is_begun_ && scale->base != base_)
        return sink_.loss("scale of time that changes on the way", offset);
      base_ = scale->base;
      return sink_.set_time_base(base_);
    }
    if (key == "version" || key == "creator" || key == "creationDate" || key == "createDate")
      sink_.set_metadata(key, valid_utf8(value));
  }

  // If the header has a table, lines contain numbers.
  static std::string_view name_of(const Table& table, std::string_view text) {
    if (table.empty()) return text;
    const auto number = parse_number<int64_t>(text);
    const auto it = number ? table.find(*number) : table.end();
    return it == table.end() ? text : std::string_view(it->second);
  }

  trace::EventSink& sink_;
  btf::Player player_;
  Table names_, types_;
  Table* table_ = nullptr;  // whose rows come
  TimeBase base_ = TimeBase::kNanoseconds;
  bool is_begun_ = false;
};

}  // namespace

int sniff_btf(std::span<const std::byte> head) {
  std::string_view text = as_chars(head);
  constexpr int kCertain = 90;
  bool is_header = false, has_scale = false;
  while (!text.empty()) {
    const std::string_view line = trimmed(take_to(text, '\n'));
    if (line.starts_with("#timeScale ") || line.starts_with("#timescale ")) {
      has_scale = true;
    } else if (line.starts_with("#creator") || line.starts_with("#version ")) {
      is_header = true;
    } else if (!line.empty() && line.front() != '#') {
      return (is_header || has_scale) && btf::parse_line(line) ? kCertain : 0;
    }
  }
  return is_header && has_scale ? kCertain : 0;  // a header alone
}

Status read_btf(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  sink.set_time_base(TimeBase::kNanoseconds);
  BtfReader reader(sink);
  for_each_ended_line(source, sink, [&](const io::Line& line) { reader.add(line); });
  reader.finish();
  return {};
}

}  // namespace weft::formats
