// The other files of a Pajé trace: what happens in a container may lie in a file of its own, which
// the line that creates the container names (ViTE's and GTG's traces, *.ept). They are played with
// the trace by time; each stays in its own order. A part has no header, so that of the trace
// counts, or one of its own.
//
// Only files in the trace's own folder are opened. Memory: a block of lines for each that is open.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/hpc/paje/paje_header.h"
#include "core/formats/hpc/paje/paje_player.h"
#include "core/io/source.h"

namespace weft::formats::paje {

// Plays a line that is none of the header's.
void play(const ParsedLines& lines, const ParsedLines::Entry& entry, Player& player,
          trace::EventSink& sink);

class Parts {
 public:
  // `header` is the one of `trace`, the file that names the others.
  Parts(std::filesystem::path trace, const Header& header, trace::EventSink& sink);
  ~Parts();

  // Each once, however often it is named.
  void open(std::string_view name, uint64_t offset);

  // Plays what lies before the event, and, where it ends a container, what lies at its time.
  void play_before(const Event& event, Player& player);
  void play_all(Player& player);
  // The header has changed: lines that were taken apart by it are taken apart again.
  void follow_header();

 private:
  class Part;

  void admit(Player& player);
  void play_first(Player& player);
  Result<std::unique_ptr<io::Source>> open_file(std::string_view name) const;
  static bool is_later(const std::unique_ptr<Part>& a, const std::unique_ptr<Part>& b);

  const std::filesystem::path trace_;
  const Header& header_;
  trace::EventSink& sink_;
  std::set<std::string, std::less<>> names_;  // of all that were asked for
  size_t missing_ = 0;
  std::vector<std::unique_ptr<Part>> parts_;  // a heap: the one with the earliest line first
  std::vector<std::unique_ptr<Part>> new_;    // named while others are played
};

}  // namespace weft::formats::paje
