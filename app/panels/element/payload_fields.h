// Shows a payload as the fields of its struct, beside its bytes: a tree of names, values and types.
// The field under the pointer marks its bytes.
//
// Draws only what is visible, at the cursor of the current ImGui window, over its width.
#pragma once

#include <cstddef>
#include <set>

#include "app/panels/element/hex_view.h"
#include "app/panels/panels.h"
#include "core/symbols/payload.h"

namespace weft::app {

class PayloadFields {
 public:
  // Returns the bytes of the field under the pointer; empty: none.
  ByteRange draw(const PanelInput& input, const symbols::Fields& fields);
  void unfold() { folded_.clear(); }

 private:
  void draw_line(const PanelInput& input, const symbols::Fields& fields, size_t index,
                 ByteRange& pointed);

  std::set<size_t> folded_;  // indices of folded lines
};

}  // namespace weft::app
