// Labels of the arrows of a sequence diagram: the number of messages in a bundle, and the types of
// single messages, as far as there is room.
#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>
#include <utility>

#include "app/panels/sequence/sequence_picture.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

constexpr size_t kMostLabels = 200, kMostTried = 1000;
constexpr float kLabelPadPx = 3;
constexpr float kLeastNamePx = 24;  // less says nothing

// One type says nothing that the diagram as a whole does not say.
bool has_several_types(const layout::Messages& messages,
                       std::span<const layout::PlacedArrow> arrows) {
  return std::ranges::adjacent_find(arrows, std::not_equal_to{}, [&](const auto& placed) {
           return messages.arrows[placed.index].link.type;
         }) != arrows.end();
}

}  // namespace

bool are_apart(const ArrowLabel& a, const ArrowLabel& b, float scale) {
  return std::fabs(a.x - b.x) >= (a.width + b.width) / 2 + kLabelPadPx * scale ||
         std::fabs(a.y - b.y) >= (a.height + b.height) / 2 - scale;
}

bool runs_through(const layout::PlacedArrow& arrow, const ArrowLabel& label, float scale) {
  const auto [top, bottom] = std::minmax(arrow.y0, arrow.y1);
  const bool is_level = top < label.y + label.height && bottom > label.y - label.height;
  if (!is_level) return false;  // as most are
  float from = 0, to = 1;       // the part of the arrow that lies within
  const auto clip = [&](float at, float end, float middle, float size) {
    const float low = middle - size / 2 + scale, high = middle + size / 2 - scale;
    if (at == end) return low < at && at < high;
    const auto [a, b] = std::minmax((low - at) / (end - at), (high - at) / (end - at));
    from = std::max(from, a);
    to = std::min(to, b);
    return from < to;
  };
  return clip(arrow.y0, arrow.y1, label.y, label.height) &&
         clip(arrow.x0, arrow.x1, label.x, label.width);
}

std::string SequencePicture::label_text(const layout::PlacedArrow& placed) const {
  const layout::LinkItem& link = drawn_.messages->arrows[placed.index].link;
  if (link.is_bundle()) return "×" + format_count(link.count);
  return printable(drawn_.lanes->model->trace->dictionary().type(link.type).name);
}

std::optional<ArrowLabel> SequencePicture::label_at(const layout::PlacedArrow& placed,
                                                    std::string text, float along,
                                                    float scale) const {
  const layout::MessageArrow& arrow = drawn_.messages->arrows[placed.index];
  const bool is_count = arrow.link.is_bundle();
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  ArrowLabel label{.width = size.x,
                   .height = size.y,
                   .text = std::move(text),
                   .is_strong = is_count && !arrow.is_dim};
  const float pad = kLabelPadPx * scale, stub = layout::kStubWidthPx * scale;
  const float least = is_count ? size.x : std::min(size.x, kLeastNamePx * scale);
  if (placed.shape != layout::ArrowShape::kArrow) {  // behind the hook or the stub
    const bool is_left = placed.shape == layout::ArrowShape::kUnsent;
    const float x = placed.target.is_none() ? placed.x0 : placed.x1;
    const float room = static_cast<float>(drawn_.pitch_px) - stub - glyph_px_ - 3 * pad;
    label.width = std::min(size.x, room);
    label.x = is_left ? x - stub - pad - label.width / 2 : x + stub + 2 * pad + label.width / 2;
    label.y = (placed.y0 + placed.y1) / 2;
    return room < least ? std::nullopt : std::optional(std::move(label));
  }
  const float across = std::fabs(placed.x1 - placed.x0), down = std::fabs(placed.y1 - placed.y0);
  const float room = 2 * std::min(along, 1 - along) * across - 2 * glyph_px_ - 2 * pad;
  if (room < least) return std::nullopt;
  label.width = std::min(size.x, room);
  label.x = std::lerp(placed.x0, placed.x1, along);
  label.y = std::lerp(placed.y0, placed.y1, along);
  // Names lie above their arrow, as in a book, where it is not so steep that they would lie far
  // off; below it at the upper edge.
  const float fall = down * label.width / across;  // of the arrow below its name
  if (is_count || fall >= size.y) return label;
  const float off = (size.y + fall) / 2 + scale;
  const bool is_at_edge = label.y >= 0 && label.y - off < size.y / 2;
  label.y += is_at_edge ? off : -off;
  return label;
}

bool SequencePicture::has_room(const ArrowLabel& label, float scale) const {
  return std::ranges::all_of(
      labels_, [&](const ArrowLabel& other) { return are_apart(other, label, scale); });
}

std::optional<ArrowLabel> SequencePicture::free_label(const layout::PlacedArrow& placed,
                                                      float scale) const {
  const std::string text = label_text(placed);
  for (const float along : {0.5F, 0.3F, 0.7F}) {
    auto label = label_at(placed, text, along, scale);
    if (!label || label->y < 0 || label->y > area_.height()) continue;
    const float least = label->height / 2;  // at the edges it is whole, too
    label->y = std::clamp(label->y, least, std::max(least, area_.height() - least));
    if (!has_room(*label, scale)) continue;
    const auto crosses = [&](const layout::PlacedArrow& other) {
      return &other != &placed && runs_through(other, *label, scale);
    };
    if (is_selected(placed) || std::ranges::none_of(arrows_, crosses)) return label;
  }
  return std::nullopt;
}

// First the selected arrow, then the largest ones, before those that are dim; of those of one
// message, in their order.
void SequencePicture::add_labels(const PanelInput& input) {
  const bool has_names = has_several_types(*drawn_.messages, arrows_);
  std::vector<const layout::PlacedArrow*> largest;
  const auto arrow_of = [&](const layout::PlacedArrow* placed) -> const layout::MessageArrow& {
    return drawn_.messages->arrows[placed->index];
  };
  for (const layout::PlacedArrow& placed : arrows_) {
    const layout::MessageArrow& arrow = arrow_of(&placed);
    if (arrow.link.is_bundle() || (has_names && !arrow.is_dim)) largest.push_back(&placed);
  }
  std::ranges::stable_sort(largest, std::greater{}, [&](const auto* placed) {
    return std::tuple(is_selected(*placed), !arrow_of(placed).is_dim, arrow_of(placed).link.count);
  });
  if (largest.size() > kMostTried) largest.resize(kMostTried);
  ImGui::PushFont(input.fonts.small);
  for (const layout::PlacedArrow* placed : largest) {
    if (labels_.size() >= kMostLabels) break;
    if (auto label = free_label(*placed, input.scale)) labels_.push_back(std::move(*label));
  }
  ImGui::PopFont();
}

void SequencePicture::draw_labels(const PanelInput& input) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::PushFont(input.fonts.small);
  const float pad = kLabelPadPx * input.scale;
  for (const ArrowLabel& label : labels_) {
    const float whole = text_width(label.text);
    const ImVec2 at = {std::floor(area_.x0 + label.x - label.width / 2),
                       std::floor(area_.y0 + label.y - label.height / 2)};
    list.AddRectFilled({at.x - pad, at.y}, {at.x + label.width + pad, at.y + label.height},
                       faded(input.theme.background, 0.9F), pad);
    const ImU32 color = label.is_strong ? input.theme.text : input.theme.text_dim;
    draw_printable(list, at, color, label.text, whole, label.width);
  }
  ImGui::PopFont();
}

}  // namespace weft::app
