#include "app/panels/timeline/marker_handles.h"

#include <cmath>

#include "app/panels/drag.h"
#include "app/panels/menu_item.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

constexpr float kReachPx = 5;

void show_tip(const PanelInput& input, const Marker& marker) {
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(360 * input.scale);
  ImGui::PushFont(input.fonts.bold);
  show_text(marker.name.empty() ? "Marker" : marker.name);
  ImGui::PopFont();
  show_text(exact_label(marker.range.begin, *input.trace), input.theme.text_dim);
  if (!marker.range.is_empty()) {
    show_text(length_label(marker.range.length(), *input.trace, 6), input.theme.text_dim);
  }
  if (marker.every > Duration{}) {
    show_text("every " + length_label(marker.every, *input.trace, 6), input.theme.text_dim);
  }
  if (!marker.note.empty()) show_text(printable(marker.note, 1'000));
  show_text("double-click to name it, drag to move it", input.theme.text_dim);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

}  // namespace

std::optional<Time> marker_near(const PanelInput& input, const MarkedBand& band, ImVec2 pointer) {
  std::optional<Time> nearest;
  float best = kReachPx * input.scale;
  const float at = band.along(pointer);
  const auto offer = [&](Time edge) {
    const float distance = std::fabs(band.place(edge) - at);
    if (distance >= best) return;
    best = distance;
    nearest = edge;
  };
  const Time time = band.time_at(at);
  for (const Marker& marker : input.trace->markers.all()) {
    offer(marker.range.begin);
    offer(marker.range.end);
    if (marker.every <= Duration{}) continue;
    const auto [first, last] = repetitions_in(marker, {time, time});
    const Time before = repetition(marker, last).begin;
    const Time after = repetition(marker, saturating_add(last, 1)).begin;
    if (band.place(after) - band.place(before) < kLeastPeriodPx * input.scale) continue;
    for (const Time begin : {before, after}) offer(begin);
    for (const int64_t ended : {saturating_sub(first, 1), first})
      offer(repetition(marker, ended).end);
  }
  return nearest;
}

MarkerHandles::Drag MarkerHandles::handle_at(const PanelInput& input, const MarkedBand& band) {
  Drag nearest;
  float best = kReachPx * input.scale;
  const float pointer = band.along(ImGui::GetIO().MousePos);
  const auto offer = [&](Time time, Handle handle, uint32_t marker) {
    const float distance = std::fabs(band.place(time) - pointer);
    if (distance >= best) return;
    best = distance;
    nearest.handle = handle;
    nearest.marker = marker;
  };
  const Markers& markers = input.trace->markers;
  if (markers.a()) offer(*markers.a(), Handle::kA, 0);
  if (markers.b()) offer(*markers.b(), Handle::kB, 0);
  for (const Marker& marker : markers.all()) {
    offer(marker.range.begin, Handle::kMarker, marker.id);
  }
  return nearest;
}

bool MarkerHandles::handle(const PanelInput& input, const MarkedBand& band,
                           const std::function<Time(ImVec2)>& snap, PanelOutput& output) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool is_on_ruler = band.ruler.contains(io.MousePos);
  const bool is_inside =
      ImGui::IsWindowHovered() && (is_on_ruler || band.canvas.contains(io.MousePos));
  show_menu(input, output);
  if (drag_.handle != Handle::kNone) {
    follow_drag(input, band, snap, output);
    return true;
  }
  if (!is_inside) return false;
  if (io.KeyAlt && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    drag_ = {io.KeyShift ? Handle::kB : Handle::kA, 0, band.along(io.MousePos), /*has_moved=*/true,
             new_gesture()};
    follow_drag(input, band, snap, output);
    return true;
  }
  if (!is_on_ruler) return false;
  const Drag found = handle_at(input, band);
  if (found.handle == Handle::kNone) return false;
  ImGui::SetMouseCursor(band.direction == AxisDirection::kRight ? ImGuiMouseCursor_ResizeEW
                                                                : ImGuiMouseCursor_ResizeNS);
  if (const Marker* marker = input.trace->markers.find(found.marker)) {
    show_tip(input, *marker);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
      menu_marker_ = marker->id;
      ImGui::OpenPopup("marker");
    }
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
      output.commands.push_back({"marker.edit", {{"id", marker->id}}});
      return true;
    }
  }
  if (!ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return true;
  drag_ = found;
  drag_.from = band.along(io.MousePos);
  drag_.gesture = new_gesture();
  return true;
}

void MarkerHandles::follow_drag(const PanelInput& input, const MarkedBand& band,
                                const std::function<Time(ImVec2)>& snap, PanelOutput& output) {
  const ImGuiIO& io = ImGui::GetIO();
  drag_.has_moved |= is_drag(band.along(io.MousePos) - drag_.from, input.scale);
  if (drag_.has_moved) {
    const Markers& markers = input.trace->markers;
    const bool is_cursor = drag_.handle != Handle::kMarker;
    const auto marked = is_cursor ? marker_near(input, band, io.MousePos) : std::nullopt;
    const Time time = marked ? *marked : snap(io.MousePos);
    const Json at = {{"at", time.ticks}};
    if (drag_.handle == Handle::kA && markers.a() != time) {
      output.commands.push_back({"marker.a", at, drag_.gesture});
    } else if (drag_.handle == Handle::kB && markers.b() != time) {
      output.commands.push_back({"marker.b", at, drag_.gesture});
    } else if (const Marker* marker = markers.find(drag_.marker);
               marker && marker->range.begin != time) {
      output.commands.push_back(
          {"marker.change", {{"id", drag_.marker}, {"at", time.ticks}}, drag_.gesture});
    }
  }
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) drag_ = {};
}

void MarkerHandles::show_menu(const PanelInput& input, PanelOutput& output) const {
  if (!ImGui::BeginPopup("marker")) return;
  if (const Marker* marker = input.trace->markers.find(menu_marker_)) {
    show_text(marker->name.empty() ? "Marker" : short_name(marker->name, 60), input.theme.text_dim);
    ImGui::Separator();
    const auto item = [&](const char* title, Command command) {
      offer(input.session, {std::move(command), title}, output.commands);
    };
    const auto repeat = [&](const char* title, Duration every) {
      item(title, {"marker.change", {{"id", marker->id}, {"every", every.ticks}}});
    };
    const TimeRange& range = marker->range;
    if (!range.is_empty()) item("Zoom to it", view_set_command(TimeWindow::from_range(range)));
    if (marker->every > Duration{}) {
      repeat("Do not repeat it", {});
    } else if (!range.is_empty()) {
      repeat("Repeat it end to end", range.length());
    }
    item("Set the cursor A here", {"marker.a", {{"at", range.begin.ticks}}});
    item("Set the cursor B here", {"marker.b", {{"at", range.begin.ticks}}});
    item("Name, note and colour…", {"marker.edit", {{"id", marker->id}}});
    item("Remove", {"marker.remove", {{"id", marker->id}}});
  }
  ImGui::EndPopup();
}

}  // namespace weft::app
