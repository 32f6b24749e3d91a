// The bar that finds and filters: an expression with completion and errors at their column, the
// number of events that pass, steps from one to the next, and what happens to the others.
//
//   | Find [ dur > 5ms && type =~ /irq/      ]  17 of 12,345  ‹ ›  Off|Dim|Hide  x |
//          | irq/timer            type        |
//
// The typed text becomes the view's filter when it can be parsed and the user pauses, leaves the
// field or presses a key that does something. If it ends in what may become the name of a field
// (`na`), a pause is not enough: the bar says that Enter searches for it. Continuous typing is one
// step of undo. Escape leaves the field for the panels, and another one clears the filter. Works on
// the view of the focused panel. Used on the frame thread.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/filter_scene.h"
#include "app/window/chrome.h"
#include "app/window/input.h"
#include "core/base/latest.h"
#include "core/query/filter/filter_completion.h"
#include "core/query/filter/filter_expression.h"

namespace weft::app {

class FindBar {
 public:
  // Returns its height.
  float draw(const ChromeInput& input, const Input& keys, const OpenTrace& trace,
             const ShownFilter& filter);
  void close(const OpenTrace* trace);  // call while it is not shown; null: no trace
  // The command that applies what has been typed, if it waits; call where keys run commands, which
  // are about what has been typed.
  std::optional<Command> take_typed();
  // Its field is to get the keys, and what is typed then replaces its text. Returns whether that
  // takes a frame: it does not have them yet.
  bool focus();
  // Whether what it shows is not final yet.
  bool is_stale() const { return is_stale_; }
  // After how many seconds it applies what has been typed; 0: nothing waits for that.
  double redraw_after_s() const;

 private:
  struct Edit {
    std::string text;
    size_t cursor = 0;
    bool is_selected = false;  // all of it
  };

  void take_over(const OpenTrace& trace);
  void take_focus();
  void handle_keys(const ChromeInput& input, const Input& keys);
  void leave(const ChromeInput& input);
  void draw_field(const ChromeInput& input, float right);
  void note_typed();
  void apply_what_is_due(const ChromeInput& input, double seconds);
  void apply(const ChromeInput& input);
  void draw_error(const ChromeInput& input, ImVec2 at, float width) const;
  float draw_buttons(const ChromeInput& input, const ViewFilter& now, float right);
  float draw_count(const ChromeInput& input, const OpenTrace& trace, const ShownFilter& filter,
                   float right);
  void update_completions(const ChromeInput& input, const OpenTrace& trace);
  void draw_completions(const ChromeInput& input);
  void draw_whole_error(const ChromeInput& input) const;
  void accept(const ChromeInput& input, size_t item);
  // Puts a text into the field, even while it is being edited.
  void set_text(std::string_view text, size_t cursor);
  std::string_view text() const { return typed_.data(); }
  static int on_text(ImGuiInputTextCallbackData* data);

  std::array<char, query::kMostExpressionBytes + 1> typed_ = {};
  std::string seen_;         // the view's filter as last seen
  std::string closed_over_;  // the view's filter while the bar was closed
  std::optional<query::FilterError> error_;
  size_t cursor_ = 0;
  std::optional<Edit> edit_;  // to be applied by the field
  bool is_open_ = false, is_active_ = false, takes_focus_ = false, wants_focus_ = false;
  uint32_t gesture_ = 0;
  bool is_stale_ = false;
  bool waits_ = false;          // the typed text can be parsed, and is not yet the filter
  bool waits_for_key_ = false;  // a pause does not apply it
  bool is_left_ = false;        // the field has been left
  double paused_s_ = 0;         // since the last letter

  bool wants_completions_ = false;
  query::Completions completions_;
  std::optional<size_t> chosen_;
  // What the completions are of.
  struct CompletedFor {
    std::string text;
    size_t cursor = 0;
    uint64_t trace_id = 0, generation = 0;
    std::shared_ptr<const std::vector<std::string>> param_names;
    bool are_kept = false;  // filters, of no text
    bool operator==(const CompletedFor&) const = default;
  };
  CompletedFor completed_for_;
  std::unique_ptr<Latest<store::TracePtr, std::vector<std::string>>> param_names_;
  Area area_, field_;
  float completions_y1_ = 0;
  bool is_list_pressed_ = false;  // one of the completions is being pressed
  std::string error_beside_;      // the error, if the bar has no room for it
};

}  // namespace weft::app
