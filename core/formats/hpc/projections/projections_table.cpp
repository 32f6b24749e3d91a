#include "core/formats/hpc/projections/projections_table.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"

namespace weft::formats::projections {
namespace {

// Names stand in quotes since version 9.
std::string_view plain_name(std::string_view text) { return without_quotes(trimmed(text)); }

constexpr std::string_view kMetadata[] = {"MACHINE",   "USERNAME",     "HOSTNAME", "COMMANDLINE",
                                          "TIMESTAMP", "CHARMVERSION", "VERSION",  "PROCESSORS",
                                          "SMPMODE",   "TOTAL_PHASES"};
// Counts of the lines that follow, sizes of messages, frames.
constexpr std::string_view kPassedOver[] = {
    "PROJECTIONS_ID", "TOTAL_CHARES", "TOTAL_EPS",       "TOTAL_MSGS",
    "TOTAL_PSEUDOS",  "TOTAL_EVENTS", "TOTAL_STATS",     "TOTAL_PAPI_EVENTS",
    "MESSAGE",        "END",          "TOTAL_FUNCTIONS", "PSEUDO"};

template <size_t kCount>
bool is_one_of(std::string_view key, const std::string_view (&keys)[kCount]) {
  return std::ranges::find(keys, key) != std::end(keys);
}

}  // namespace

void Table::read(io::Source& source, trace::EventSink& sink) {
  for_each_line(source, sink, [&](const io::Line& line) {
    if (!add(line.text, sink))
      sink.loss("line of the .sts file that is not understood", line.offset);
  });
}

bool Table::add(std::string_view line, trace::EventSink& sink) {
  std::string_view rest = line;
  const std::string_view key = take_word(rest);
  if (is_one_of(key, kMetadata) && !trimmed(rest).empty())
    sink.set_metadata(key, valid_utf8(plain_name(rest)));
  if (key == "VERSION") {
    const auto version = parse_number<double>(trimmed(rest));
    if (version) version_ = *version;
    return version.has_value();
  }
  if (key == "PROCESSORS") {
    const auto number = parse_number<uint32_t>(trimmed(rest));
    if (number) processors_ = *number;
    return number.has_value();
  }
  if (key == "SMPMODE") {
    const auto size = parse_number<uint32_t>(take_word(rest));
    const auto nodes = parse_number<uint32_t>(take_word(rest));
    if (size && nodes) node_size_ = *size, nodes_ = *nodes;
    return size && nodes;
  }
  if (key == "CHARE" || key == "BOC") return add_chare(rest);
  if (key == "ENTRY") return add_entry(rest);
  if (key == "EVENT") return add_name(rest, events_);
  if (key == "FUNCTION") return add_name(rest, functions_);
  if (key == "STAT") return add_name(rest, stats_);
  if (key == "PAPI_EVENT") {
    if (!parse_number<uint32_t>(take_word(rest))) return false;
    counters_.emplace_back(plain_name(rest));
    return true;
  }
  return is_one_of(key, kMetadata) || is_one_of(key, kPassedOver);
}

// ID NAME, and behind a name in quotes the dimensions of the array.
bool Table::add_chare(std::string_view rest) {
  const auto id = parse_number<int64_t>(take_word(rest));
  if (!id) return false;
  rest = trimmed(rest);
  const size_t quote = rest.rfind('"');
  const bool has_quotes = rest.starts_with('"') && quote > 0;
  chares_[*id] = has_quotes ? rest.substr(1, quote - 1) : rest;
  const auto dimensions = parse_number<int64_t>(trimmed(rest.substr(has_quotes ? quote + 1 : 0)));
  if (has_quotes && dimensions) dimensions_[*id] = *dimensions;
  return true;
}

// CHARE ID NAME CHARE-ID MESSAGE-ID; names may have spaces without being in quotes.
bool Table::add_entry(std::string_view rest) {
  take_word(rest);
  const auto id = parse_number<int64_t>(take_word(rest));
  const auto message = parse_number<int64_t>(take_last_word(rest));
  const auto chare = parse_number<int64_t>(take_last_word(rest));
  if (!id || !message || !chare) return false;
  entries_[*id] = {.name = std::string(plain_name(rest)), .chare = *chare};
  return true;
}

bool Table::add_name(std::string_view rest, Names& names) {
  const auto id = parse_number<int64_t>(take_word(rest));
  if (id) names.try_emplace(*id, plain_name(rest));
  return id.has_value();
}

std::string Table::name_in(const Names& names, int64_t id, std::string_view otherwise) {
  const auto it = names.find(id);
  const bool is_named = it != names.end() && !it->second.empty();
  return is_named ? it->second : fmt::format("{}{}", otherwise, id);
}

std::string Table::entry_name(int64_t entry) const {
  const auto it = entries_.find(entry);
  if (it == entries_.end()) return fmt::format("entry {}", entry);
  const auto chare = chares_.find(it->second.chare);
  return chare == chares_.end() ? it->second.name : chare->second + "::" + it->second.name;
}

bool Table::may_have_index(int64_t entry) const {
  const auto it = entries_.find(entry);
  if (it == entries_.end()) return true;
  const auto dimensions = dimensions_.find(it->second.chare);
  return dimensions == dimensions_.end() || dimensions->second > 0;
}

// Worker PEs come first, node by node; then one or more communication threads of each node.
std::optional<uint32_t> Table::node_of(uint32_t pe) const {
  if (node_size_ == 0 || nodes_ == 0) return std::nullopt;
  const uint64_t workers = uint64_t{node_size_} * nodes_;
  if (pe < workers) return pe / node_size_;
  const uint64_t others = processors_ > workers ? (processors_ - workers) / nodes_ : 0;
  const uint64_t node = (pe - workers) / std::max<uint64_t>(1, others);
  return static_cast<uint32_t>(std::min<uint64_t>(node, nodes_ - 1));
}

bool Table::is_communication_thread(uint32_t pe) const {
  return node_of(pe) && pe >= uint64_t{node_size_} * nodes_;
}

}  // namespace weft::formats::projections
