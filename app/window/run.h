// Runs the workbench with and without a window, for the command line.
//
// All of these draw with the same code; they differ in the source of input and the destination of
// pixels.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/opening/open.h"
#include "core/base/percentiles.h"
#include "core/base/result.h"
#include "core/base/time.h"

namespace weft::app {

struct WindowOptions {
  std::vector<std::filesystem::path> files;
  TypeChoice type;                             // of all of them
  Recording recording;                         // for those that come through a pipe
  std::vector<std::filesystem::path> symbols;  // where names come from
  std::filesystem::path journal;  // every command of the session is appended here; empty: none
  std::filesystem::path start;    // a journal to run once the traces are loaded; empty: none
  std::filesystem::path config_folder;  // settings and the like are kept here; empty: nowhere
  uint64_t memory_bytes = store::kUsualMemoryBytes;  // for an import, at most
  uint64_t memory_limit_bytes = 0;                   // for the program; 0: as in the settings
  int width = 0, height = 0;                         // of the window, in pixels; 0: as last time
};
// Runs until the window is closed. An error if there is no display or no OpenGL 4.1.
Status run_window(const WindowOptions& options);
bool has_display();

// The values that PictureOptions::panel may have.
std::vector<std::string> picture_panels();

struct PictureOptions {
  std::filesystem::path file;
  TypeChoice type;  // of all of them
  // Further traces on the same time line: each has a panel of its own, one below the other.
  std::vector<std::filesystem::path> also;
  std::string align = "clock";  // how these are aligned, as in trace.align
  std::string panel = "gantt";  // an id of the table in app/panels/panels.cpp, or "workbench": all
  int width = 1920;
  int height = 1080;
  std::string from, to;        // as parse_time() reads them; empty: the trace's ends
  std::string where;           // an expression; empty: no filter
  std::string filter = "dim";  // what happens to other events: off, dim, hide
  std::string theme = "dark";
  std::vector<std::filesystem::path> symbols;  // where names come from
  std::filesystem::path output;
};
// One line for each trace that is not whole, as far as it was read: "FILE: why".
using DamageLines = std::vector<std::string>;
struct SnapshotReport {
  std::string note;  // what is drawn instead of what was asked for; empty: that is drawn
  DamageLines damage;
};
Result<SnapshotReport> run_snapshot(const PictureOptions& options);

struct TourReport {
  uint64_t frames = 0;
  Percentiles cpu_ms;      // CPU time of the frame thread
  Percentiles gpu_ms;      // from submission to completion (on llvmpipe: the whole rasterisation)
  Percentiles tile_ms;     // from the request for a tile until it is ready
  double stale_share = 0;  // share of drawn tiles that stood in for one being made
  uint64_t tiles_made = 0;
  uint64_t gpu_bytes = 0;
  uint64_t page_faults = 0;  // of the frame thread, major and minor, while touring
  std::string renderer;
  std::string note;  // as of a snapshot
  DamageLines damage;
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
// The cost of the frames of one command, from its start until nothing shown is stale.
struct CommandCost {
  std::string command;
  uint64_t frames = 0;
  Percentiles cpu_ms;     // CPU time of the frame thread
  double settled_ms = 0;  // the longest time from the command until nothing was stale
};
struct ReplayReport {
  std::vector<CommandCost> commands;  // the command with the most expensive frame first
  std::string renderer;
  DamageLines damage;  // of all traces that were open at some time
  Status status;       // the error at which it stopped, with the line number
};
// Runs every command of the journal (one JSON object per line), each followed by frames until
// nothing is stale. Stops at the first command that fails, which ReplayReport::status reports; an
// error: it could not begin.
Result<ReplayReport> run_replay(const ReplayOptions& options);

}  // namespace weft::app
