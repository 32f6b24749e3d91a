#include "app/window/snapshots.h"

#include <fmt/core.h>

#include <imgui.h>

#include <chrono>
#include <utility>

#include "app/base/text_file.h"
#include "app/session/files_beside.h"
#include "app/session/pinned_scope.h"
#include "app/window/gui_to_svg.h"
#include "app/window/host_offscreen.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

using Size = Snapshots::Size;

Size size_of(const SnapshotRequest& request, const Workbench& workbench, Size whole) {
  if (request.width_px > 0) return {request.width_px, request.height_px};
  const auto place = workbench.place_of(request.panel);
  if (!place || place->width() < 1 || place->height() < 1) return whole;
  return {static_cast<int>(place->width()), static_cast<int>(place->height())};
}

// Describes what one must know to see the same again.
std::string context_of(const Session& session, const std::string& panel) {
  std::string text = kContextBegin + panel + "\n";
  if (const PanelInstance* instance = session.desk.layout.find(panel); instance) {
    const Json& options = instance->options;
    if (!options.empty()) text += "options: " + options.dump() + "\n";
  }
  const auto shown = shown_in(session, panel);
  if (!shown) return text;
  const auto& [trace, view] = *shown;
  const TimeRange range = view.window.range();
  text += fmt::format("trace: {}\nunit: {}\nshown: {} to {} ticks\n",
                      printable(trace->path().string(), 0), name_of(trace->time_base()),
                      range.begin.ticks, range.end.ticks);
  if (trace->selection) {
    text += fmt::format("selected: {} to {} ticks\n", trace->selection->begin.ticks,
                        trace->selection->end.ticks);
  }
  if (view.filter.is_set()) {
    text +=
        fmt::format("filter: {} ({})\n", printable(view.filter.text, 0), name_of(view.filter.mode));
  }
  if (!trace->arrangement().filter.empty()) {
    text += "lanes: " + printable(trace->arrangement().filter, 0) + "\n";
  }
  return text;
}

std::string title_of(const SnapshotRequest& request) {
  return "Writing " + request.output.string();
}

bool is_svg(const SnapshotRequest& request) { return request.report_item != 0 || request.is_svg; }

}  // namespace

struct Snapshots::Underway {
  Underway(SnapshotRequest asked, Size size_px)
      : request(std::move(asked)), size(size_px), target(size.width, size.height) {}

  SnapshotRequest request;
  Size size;
  render::opengl::OffscreenTarget target;
  render::SvgRenderer svg;
  // Panels of its own, where they have another size or renderer than those of the window.
  std::optional<Workbench::Stage> stage;
  int frames = 0;
  std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
};

Snapshots::Snapshots() = default;
Snapshots::~Snapshots() = default;

void Snapshots::step(Workbench& workbench, Gui& gui, int width, int height) {
  for (SnapshotRequest& request : workbench.take_snapshot_requests())
    waiting_.push_back(std::move(request));
  if (!is_busy()) return;
  if (!underway_) {
    SnapshotRequest& request = waiting_.front();
    const Size size = size_of(request, workbench, {width, height});
    underway_ = std::make_unique<Underway>(std::move(request), size);
    waiting_.pop_front();
    if (is_svg(underway_->request)) {
      underway_->stage.emplace().renderer = &underway_->svg;
    } else if (underway_->request.width_px > 0) {
      underway_->stage.emplace().renderer = &workbench.renderer();
    }
  }
  // A frame in between would end a drag; and what the window does not know yet, nobody draws.
  if (ImGui::IsAnyMouseDown() || (!underway_->stage && !workbench.is_settled())) return;
  Underway& picture = *underway_;
  const std::string shown_only = workbench.shown_only();
  workbench.show_only(picture.request.panel == "workbench" ? "" : picture.request.panel);
  if (picture.stage) workbench.swap_stage(*picture.stage);
  const bool is_done = draw(workbench, gui);
  if (picture.stage) workbench.swap_stage(*picture.stage);
  workbench.show_only(shown_only);
  if (is_done) underway_.reset();
}

void Snapshots::cancel() {
  underway_.reset();
  waiting_.clear();
}

// The second frame shows what the first frame's commands changed.
bool Snapshots::draw(Workbench& workbench, Gui& gui) {
  Underway& picture = *underway_;
  draw_frame(workbench, gui, {}, {}, picture.size.width, picture.size.height);
  if (picture.frames++ > 0 && workbench.is_settled()) {
    finish(workbench, gui);
    return true;
  }
  const bool is_late = std::chrono::steady_clock::now() - picture.begun > kMostPictureWait;
  if (is_late) {
    workbench.say(title_of(picture.request) + ": the picture was not complete in time",
                  /*is_error=*/true);
  }
  return is_late;
}

void Snapshots::finish(Workbench& workbench, Gui& gui) {
  Underway& picture = *underway_;
  const SnapshotRequest& request = picture.request;
  const std::string context = context_of(workbench.session(), request.panel);
  const auto [width, height] = picture.size;
  if (is_svg(request)) {
    render::SvgPage page = draw_svg(workbench, gui, picture.svg, width, height);
    if (request.report_item != 0)
      return workbench.put_into_report(request.report_item, std::move(page), context);
    return write(workbench, request, context,
                 [page = std::move(page)](const std::filesystem::path& path) {
                   return write_text(page.document(), path);
                 });
  }
  draw_pixels(workbench, gui, picture.target);
  write(workbench, request, context,
        [image = picture.target.read()](const std::filesystem::path& path) {
          return write_png(image, path);
        });
}

void Snapshots::write(Workbench& workbench, const SnapshotRequest& request,
                      const std::string& context, WriteTo write_to) {
  workbench.start_job(title_of(request),
                      [path = request.output, context, context_path = request.context,
                       write_to = std::move(write_to)](Job::Progress&) -> Result<Job::Outcome> {
                        WEFT_TRY(write_to(path));
                        std::string said =
                            "The picture was written to " + absolute_path(path).string();
                        if (!context_path.empty()) {
                          WEFT_TRY(write_text(context, context_path));
                          said += ", what it shows to " + context_path.filename().string();
                        }
                        return Job::Outcome{std::move(said), std::nullopt};
                      });
}

Status write_png(const render::Image& image, const std::filesystem::path& path) {
  auto png = render::png_from(image);
  if (!png) return fail(std::move(png).error().context(path.string()));
  return write_text(*png, path);
}

render::SvgPage draw_svg(Workbench& workbench, Gui& gui, render::SvgRenderer& svg, int width,
                         int height) {
  const GuiWithoutSmoothEdges hard_edges;
  render::SvgPage page(width, height);
  draw_frame(workbench, gui, {}, {}, width, height);
  workbench.paint();
  svg.set_page(&page);
  workbench.present(height);
  svg.set_page(nullptr);
  add_gui(*ImGui::GetDrawData(), gui.fonts(), page);
  return page;
}

}  // namespace weft::app
