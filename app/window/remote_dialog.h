// The dialog for opening a trace on another machine, with the traces opened before, and the state
// of the connections. (B-22, B-24)
#pragma once

#include <array>
#include <string>

#include "app/window/chrome.h"

namespace weft::app {

// "live, 3.2 MiB, 12.0 KiB/s"; empty if the trace does not come from a feed.
std::string feed_in_words(const OpenTrace& trace);

class RemoteDialog {
 public:
  void draw(const ChromeInput& input);
  // Whether what it shows changes by itself.
  bool is_live() const { return is_live_; }

 private:
  void fill(const Connection& connection);
  void open(const ChromeInput& input);
  bool draw_form(const ChromeInput& input, bool& is_open);
  void draw_under_way(const ChromeInput& input);
  void draw_kept(const ChromeInput& input);

  std::array<char, 1024> address_ = {};
  std::array<char, 256> jump_ = {};
  std::array<char, 512> key_ = {}, config_ = {};
  bool follows_ = false, reads_config_ = true;
  std::string error_;
  const char* typed_next_ = nullptr;  // the field that takes the focus; null: none
  bool was_shown_ = false, is_live_ = false;
};

}  // namespace weft::app
