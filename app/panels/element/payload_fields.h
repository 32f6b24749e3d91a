// A payload as the fields of its struct, beside its bytes: a tree of names, values and types. The
// field under the pointer says which bytes are its own.
//
// Draws what is seen; at the cursor of the current ImGui window, over its width.
#pragma once

#include <cstddef>
#include <set>

#include "app/panels/element/hex_view.h"
#include "app/panels/panels.h"
#include "core/symbols/payload.h"

namespace weft::app {

class PayloadFields {
 public:
  // The bytes of the field under the pointer; empty: none is.
  ByteRange draw(const PanelInput& input, const symbols::Fields& fields);
  void unfold() { folded_.clear(); }

 private:
  void draw_line(const PanelInput& input, const symbols::Fields& fields, size_t index,
                 ByteRange& pointed);

  std::set<size_t> folded_;  // lines
};

}  // namespace weft::app
