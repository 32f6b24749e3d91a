#include "app/snapshots.h"

#include <fmt/format.h>

#include <cmath>

#include "app/gui_to_svg.h"
#include "app/host_offscreen.h"
#include "app/text_file.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

struct Size {
  int width, height;
};

Size size_of(const SnapshotRequest& request, const Workbench& workbench, Size whole) {
  if (request.width_px > 0) return {request.width_px, request.height_px};
  const auto place = workbench.place_of(request.panel);
  if (!place || place->width() < 1 || place->height() < 1) return whole;
  return {static_cast<int>(place->width()), static_cast<int>(place->height())};
}

// What one must know to see the same again.
std::string context_of(const Session& session, const std::string& panel) {
  std::string text = "panel: " + panel + "\n";
  if (const PanelInstance* instance = session.layout.find(panel); instance) {
    const Json& options = instance->options;
    if (!options.empty()) text += "options: " + options.dump() + "\n";
  }
  const OpenTrace* trace = session.trace();
  if (!trace) return text;
  const TimeRange shown = trace->view().window.range();
  text += fmt::format("trace: {}\nunit: {}\nshown: {} to {} ticks\n",
                      printable(trace->path().string(), 0), name_of(trace->time_base()),
                      shown.begin.ticks, shown.end.ticks);
  if (trace->selection) {
    text += fmt::format("selected: {} to {} ticks\n", trace->selection->begin.ticks,
                        trace->selection->end.ticks);
  }
  if (!trace->arrangement().filter.empty()) {
    text += "lanes: " + printable(trace->arrangement().filter, 0) + "\n";
  }
  return text;
}

// By a renderer and panels of its own: those of the window stay as they are.
Result<std::string> svg_of_panel(Workbench& workbench, Gui& gui, Size size) {
  render::SvgRenderer svg;
  Workbench::Stage stage;
  stage.renderer = &svg;
  const render::opengl::OffscreenTarget target(size.width, size.height);
  workbench.swap_stage(stage);
  const Status status = settle(workbench, gui, target);
  std::string document = status ? draw_svg(workbench, gui, svg, size.width, size.height) : "";
  workbench.swap_stage(stage);
  if (!status) return fail(status.error());
  return document;
}

Status write_png_of_panel(Workbench& workbench, Gui& gui, Size size,
                          const std::filesystem::path& output) {
  const render::opengl::OffscreenTarget target(size.width, size.height);
  WEFT_TRY(settle(workbench, gui, target));
  return render::write_png(target.read(), output);
}

Status take_snapshot(Workbench& workbench, Gui& gui, Size size, const SnapshotRequest& request) {
  if (request.report_item != 0) {
    WEFT_TRY_ASSIGN(std::string document, svg_of_panel(workbench, gui, size));
    workbench.put_into_report(request.report_item, std::move(document),
                              context_of(workbench.session(), request.panel));
    return {};
  }
  if (request.output.extension() == ".svg") {
    WEFT_TRY_ASSIGN(const std::string document, svg_of_panel(workbench, gui, size));
    return write_text(document, request.output);
  }
  return write_png_of_panel(workbench, gui, size, request.output);
}

}  // namespace

Status take_snapshots(Workbench& workbench, Gui& gui, int width, int height) {
  for (const SnapshotRequest& request : workbench.take_snapshot_requests()) {
    const Size size = size_of(request, workbench, {width, height});
    const std::string shown_only = workbench.shown_only();
    workbench.show_only(request.panel == "workbench" ? "" : request.panel);
    const Status status = take_snapshot(workbench, gui, size, request);
    workbench.show_only(shown_only);
    WEFT_TRY(status);
    if (request.report_item != 0) continue;
    if (request.has_context) {
      WEFT_TRY(write_text(context_of(workbench.session(), request.panel),
                          request.output.string() + ".txt"));
    }
    workbench.say("The picture was written to " + request.output.string(), /*is_error=*/false);
  }
  return {};
}

std::string draw_svg(Workbench& workbench, Gui& gui, render::SvgRenderer& svg, int width,
                     int height) {
  const GuiWithoutSmoothEdges hard_edges;
  render::SvgPage page(width, height);
  draw_frame(workbench, gui, {}, {}, width, height);
  workbench.paint();
  svg.set_page(&page);
  workbench.present(height);
  svg.set_page(nullptr);
  add_gui(*ImGui::GetDrawData(), gui.fonts(), page);
  return page.document();
}

}  // namespace weft::app
