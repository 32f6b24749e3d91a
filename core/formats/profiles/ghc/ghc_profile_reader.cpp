#include "core/formats/profiles/ghc/ghc_profile_reader.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/formats/base/args_text.h"
#include "core/formats/base/json_document.h"
#include "core/formats/base/text.h"
#include "core/formats/base/unit_of_places.h"
#include "core/formats/profiles/ghc/cost_centres.h"
#include "core/formats/profiles/ghc/ghc_profile_text.h"

namespace weft::formats {
namespace {

using json::Element;
using json::member;

class GhcProfileReader {
 public:
  GhcProfileReader(Element root, trace::EventSink& sink)
      : root_(root), sink_(sink), centres_(sink) {}

  void read() {
    for (const std::string_view key :
         {"program", "arguments", "rts_arguments", "end_time", "initial_capabilities", "total_time",
          "total_ticks", "tick_interval", "total_alloc"}) {
      const auto value = member(root_, key);
      if (value) sink_.set_metadata(key, json::plain(value));
    }
    tick_us_ = std::clamp<int64_t>(json::integer(member(root_, "tick_interval")).value_or(1), 1,
                                   kMostTickUs);
    json::for_each_element(member(root_, "cost_centres"), [&](Element centre) {
      const auto id = json::integer(member(centre, "id"));
      if (!id) return sink_.loss("cost centre without a number", by_number_.size());
      by_number_.emplace(*id, centre);
    });
    if (const auto profile = member(root_, "profile")) {
      add(*profile);
    } else {
      sink_.loss("profile without a tree", trace::LossPlace::nowhere());
    }
    centres_.finish();
  }

 private:
  static constexpr int64_t kMostTickUs = 1'000'000'000;

  // Nested no deeper than the document lets it be.
  void add(Element node) {
    const uint64_t index = nodes_++;
    const auto id = json::integer(member(node, "id"));
    const auto centre = by_number_.find(id.value_or(json::kNoIndex));
    const bool is_known = id && centre != by_number_.end();
    if (!is_known) sink_.note("cost centre that is not there", index);
    const auto said = is_known ? std::optional(centre->second) : std::nullopt;
    const int64_t ticks = std::clamp<int64_t>(json::integer(member(node, "ticks")).value_or(0), 0,
                                              INT64_MAX / tick_us_);
    centres_.enter({.label = json::text(member(said, "label")),
                    .module = json::text(member(said, "module")),
                    .own_us = ticks * tick_us_,
                    .costs = costs_of(node, said)});
    json::for_each_part(member(node, "children"), [&](Element child) { add(child); });
    centres_.leave();
  }

  static std::string costs_of(Element node, std::optional<Element> centre) {
    ArgsText params;
    bool has_costs = false;
    for (const std::string_view key : {"entries", "alloc", "ticks"}) {
      const int64_t value = json::integer(member(node, key)).value_or(0);
      params.add(key, value);
      has_costs |= value != 0;
    }
    if (!has_costs) return {};
    const std::string_view place = json::text(member(centre, "src_loc"));
    if (!place.empty()) params.add("src_loc", place);
    return params.take();
  }

  Element root_;
  trace::EventSink& sink_;
  ghc::CostCentres centres_;
  std::unordered_map<int64_t, Element> by_number_;
  int64_t tick_us_ = 1;
  uint64_t nodes_ = 0;
};

}  // namespace

int sniff_ghc_profile(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  if (ghc::is_profile_text(text)) return 95;
  const auto has = [&](std::string_view what) { return text.find(what) != std::string_view::npos; };
  if (!trimmed(text).starts_with('{')) return 0;
  return has("\"rts_arguments\"") && has("\"cost_centres\"") ? 95 : 0;
}

Status read_ghc_profile(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  WEFT_TRY_ASSIGN(const auto head, source.peek(kHeadBytes));
  if (ghc::is_profile_text(as_chars(head))) {
    ghc::read_profile_text(source, sink);
    return {};
  }
  UnitOfPlaces in_entries(sink, trace::PlaceUnit::kEntry);
  WEFT_TRY_ASSIGN(const json::Document document,
                  json::Document::read(source, in_entries, context.memory_bytes));
  GhcProfileReader(document.root(), in_entries).read();
  return {};
}

}  // namespace weft::formats
