// Pictures that commands ask for, of a panel or of everything: as pixels, or as shapes and text.
#pragma once

#include <chrono>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "app/window/gui.h"
#include "app/window/workbench.h"
#include "core/base/result.h"
#include "render/svg/svg_renderer.h"

namespace weft::app {

// For a picture to be complete: what is asked of a cold disk takes minutes.
inline constexpr std::chrono::minutes kMostPictureWait{10};

// Takes on what is asked for (Orders::snapshots), one after another, without keeping the window
// from going on: a frame that nobody sees follows each of the window's while no button is down,
// until nothing in them is stale; files are written by jobs. A picture that has no size is
// as large as the panel is, and is taken of the panel itself, once the window shows nothing stale.
class Snapshots {
 public:
  struct Size {
    int width, height;
  };
  Snapshots();
  ~Snapshots();
  Snapshots(const Snapshots&) = delete;
  Snapshots& operator=(const Snapshots&) = delete;

  // After a frame of the window, which has so many pixels. Binds framebuffers of its own; that of
  // the window is bound afterwards.
  void step(Workbench& workbench, Gui& gui, int width, int height);
  // What is not drawn yet will not be.
  void cancel();
  // Something is to be drawn yet.
  bool is_busy() const { return underway_ || !waiting_.empty(); }

 private:
  struct Underway;
  using WriteTo = std::function<Status(const std::filesystem::path&)>;
  bool draw(Workbench& workbench, Gui& gui);
  void finish(Workbench& workbench, Gui& gui);
  static void write(Workbench& workbench, const SnapshotRequest& request,
                    const std::string& context, WriteTo write_to);

  std::deque<SnapshotRequest> waiting_;
  std::unique_ptr<Underway> underway_;
};

// One frame as a page of shapes; the workbench draws with `svg` now.
render::SvgPage draw_svg(Workbench& workbench, Gui& gui, render::SvgRenderer& svg, int width,
                         int height);

}  // namespace weft::app
