// Takes the pictures that commands request, of a panel or of everything: as pixels, or as shapes
// and text.
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
#include "render/png.h"
#include "render/svg/svg_renderer.h"

namespace weft::app {

// The most time for a picture to be complete: reading from a cold disk may take minutes.
inline constexpr std::chrono::minutes kMostPictureWait{10};

// Takes the requested pictures (Orders::snapshots) one after another, without blocking the window:
// while no button is down, each of the window's frames is followed by an invisible one, until
// nothing in those is stale; jobs write the files. A picture without a size is as large as its
// panel, and is taken of the panel itself, once the window shows nothing stale.
class Snapshots {
 public:
  struct Size {
    int width, height;
  };
  Snapshots();
  ~Snapshots();
  Snapshots(const Snapshots&) = delete;
  Snapshots& operator=(const Snapshots&) = delete;

  // Call after a frame of the window, which is width × height pixels. Binds framebuffers of its
  // own, and the window's again afterwards.
  void step(Workbench& workbench, Gui& gui, int width, int height);
  // Drops the pictures that are not drawn yet.
  void cancel();
  // Whether pictures are still to be drawn.
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

// Writes a picture as a PNG, which appears under its name once it is complete.
Status write_png(const render::Image& image, const std::filesystem::path& path);

// Draws one frame as a page of shapes; the workbench must be drawing with `svg`.
render::SvgPage draw_svg(Workbench& workbench, Gui& gui, render::SvgRenderer& svg, int width,
                         int height);

}  // namespace weft::app
