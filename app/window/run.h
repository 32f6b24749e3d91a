// The workbench with and without a window: what the command line starts.
//
// All of these draw by the same code; they differ in where input comes from and where pixels go.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/opening/open.h"
#include "core/base/result.h"
#include "core/base/time.h"

namespace weft::app {

struct WindowOptions {
  std::vector<std::filesystem::path> files;
  TypeChoice type;                             // of all of them
  Recording recording;                         // of those that come through a pipe
  std::vector<std::filesystem::path> symbols;  // where names come from
  std::filesystem::path journal;  // every command of the session is appended here; empty: none
  std::filesystem::path start;    // a journal that is run once the traces are there; empty: none
  std::filesystem::path config_folder;   // settings and the like are kept here; empty: nowhere
  uint64_t memory_bytes = 400ull << 20;  // for an import, at most
  uint64_t memory_limit_bytes = 0;       // for the program; 0: as the settings say
  int width = 0, height = 0;             // of the window, in pixels; 0: as it was left
};
// Until the window is closed. An error when there is no display or no OpenGL 4.1.
Status run_window(const WindowOptions& options);
bool has_display();

// What PictureOptions::panel may be.
std::vector<std::string> picture_panels();

struct PictureOptions {
  std::filesystem::path file;
  TypeChoice type;  // of all of them
  // More traces on the same time line: each has a panel of its own, one below the other.
  std::vector<std::filesystem::path> also;
  std::string align = "clock";  // of these: as the command trace.align has it
  std::string panel = "gantt";  // an id of the table in app/panels/panels.cpp, or "workbench": all
  int width = 1920;
  int height = 1080;
  std::string from, to;        // as parse_time reads them; empty: the trace's ends
  std::string where;           // an expression; empty: no filter
  std::string filter = "dim";  // what becomes of the rest: off, dim, hide
  std::string theme = "dark";
  std::vector<std::filesystem::path> symbols;  // where names come from
  std::filesystem::path output;
};
Status run_snapshot(const PictureOptions& options);

struct Percentiles {
  double p50 = 0, p95 = 0, p99 = 0, max = 0;
};
struct TourReport {
  uint64_t frames = 0;
  Percentiles cpu_ms;      // CPU time of the frame thread
  Percentiles gpu_ms;      // from submission to completion (on llvmpipe: the whole rasterisation)
  Percentiles tile_ms;     // from a tile's request to its being ready to draw
  double stale_share = 0;  // of drawn tiles that were a coarser one in place of one being made
  uint64_t tiles_made = 0;
  uint64_t gpu_bytes = 0;
  uint64_t page_faults = 0;  // of the frame thread, major and minor, while touring
  std::string renderer;
};
struct TourOptions {
  PictureOptions picture;
  uint32_t frames = 600;
};
Result<TourReport> run_tour(const TourOptions& options);

struct ReplayOptions {
  std::filesystem::path journal;
  std::vector<std::filesystem::path> files;
  int width = 1920;
  int height = 1080;
  std::filesystem::path report;  // written at the end; empty: none
};
// What the frames of one command cost, from its being run until nothing shown was stale.
struct CommandCost {
  std::string command;
  uint64_t frames = 0;
  Percentiles cpu_ms;     // CPU time of the frame thread
  double settled_ms = 0;  // the longest time from the command until nothing was stale
};
struct ReplayReport {
  std::vector<CommandCost> commands;  // the dearest frame first
  std::string renderer;
  Status status;  // of the command that it stopped at, with its line number
};
// Runs every command of the journal (one JSON object a line), each followed by a frame in which
// nothing is stale. Stops at the first that fails; an error: it could not begin.
Result<ReplayReport> run_replay(const ReplayOptions& options);

}  // namespace weft::app
