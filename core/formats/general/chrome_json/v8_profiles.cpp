#include "core/formats/general/chrome_json/v8_profiles.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/base/saturating.h"
#include "core/base/time.h"

namespace weft::formats::chrome_json {
namespace {

using json::Element;
using json::member;

// As the members of an event are called, and where its arguments have one of that name.
std::string_view id_of(Element params) {
  const std::string_view id = json::text(member(params, "id"));
  return id.empty() ? json::text(member(params, "event.id")) : id;
}

Duration duration_from(double microseconds) { return {saturating_round(microseconds * kNsPerUs)}; }

}  // namespace

std::optional<V8Part> v8_part_of(std::string_view name, std::string_view category) {
  struct Known {
    std::string_view name, category;
    V8Part part;
  };
  constexpr std::string_view kPieces = "v8.cpu_profiler";
  constexpr Known kKnown[] = {{"Profile", kPieces, V8Part::kBegin},
                              {"ProfileChunk", kPieces, V8Part::kPiece},
                              {"CpuProfile", "devtools.timeline", V8Part::kWhole}};
  for (const Known& known : kKnown)
    if (name == known.name && category.contains(known.category)) return known.part;
  return std::nullopt;
}

void V8Profiles::add(const V8Piece& piece) {
  const auto document = json::Document::parse(piece.params);
  if (!document) return sink_.loss("profile that cannot be read", trace::LossPlace::nowhere());
  const auto data = member(document->root(), "data");
  if (piece.part == V8Part::kWhole && data) return add_whole(piece, *data);
  const auto start = json::number(member(data, "startTime"));
  const Time begin = start ? Time{} + duration_from(*start) : piece.time;
  const auto [it, is_new] = profiles_.try_emplace(
      {piece.process.value(), std::string(id_of(document->root()))}, sink_, piece.thread, begin);
  Profile& profile = it->second;
  profile.end = piece.time;
  if (piece.part == V8Part::kBegin || !data) return;
  add_samples(profile, *data);
}

// The event itself is from when the recording ended.
void V8Profiles::add_whole(const V8Piece& piece, Element data) {
  const auto part = member(data, "cpuProfile");
  if (!member(part, "nodes"))
    return sink_.loss("profile that cannot be read", trace::LossPlace::nowhere());
  const auto time_of = [&](std::string_view name) {
    const auto microseconds = json::number(member(part, name));
    return microseconds ? Time{} + duration_from(*microseconds) : piece.time;
  };
  Profile profile(sink_, piece.thread, time_of("startTime"));
  add_samples(profile, data);
  if (!profile.lane.is_none()) give(profile, time_of("endTime"));
}

void V8Profiles::add_samples(Profile& profile, Element data) {
  const auto part = member(data, "cpuProfile");
  profile.nodes.for_each_listed(member(part, "nodes"), [&](Element node, int64_t caller) {
    profile.nodes.add(node, caller);
  });
  const auto ids = json::indices(member(part, "samples"));
  const auto apart = member(data, "timeDeltas");
  const auto deltas = json::numbers(apart ? apart : member(part, "timeDeltas"));
  for (size_t i = 0; i < ids.size(); ++i) {
    const auto node = profile.nodes.index_of(ids[i]);
    const bool has_time = i < deltas.size() && !std::isnan(deltas[i]);
    // The times of those behind it count from it, whatever it says.
    if (has_time)
      profile.clock.ticks = saturating_add(profile.clock.ticks, duration_from(deltas[i]).ticks);
    if (!node || !has_time) {
      sink_.loss(node ? "sample without a time" : "sample of a node that is not there",
                 trace::LossPlace::nowhere());
      continue;
    }
    give(profile, profile.clock);
    if (profile.clock > profile.now) profile.gap = profile.clock - profile.now;
    profile.now = std::max(profile.now, profile.clock);
    profile.node = *node;
  }
}

// The last sample, if it has a length.
void V8Profiles::give(Profile& profile, Time until) {
  if (profile.lane.is_none()) {
    profile.lane = sink_.add_lane({.name = "JavaScript", .parent = profile.thread});
    return;
  }
  if (until > profile.now)
    timeline_.add(profile.lane, profile.nodes.frames(profile.node), profile.now, until);
}

void V8Profiles::finish() {
  for (auto& [key, profile] : profiles_) {
    if (!profile.lane.is_none()) give(profile, std::min(profile.end, profile.now + profile.gap));
  }
  timeline_.finish();
}

}  // namespace weft::formats::chrome_json
