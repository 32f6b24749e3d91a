// The report that the user composes of panels, one below the other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/base/sheet.h"
#include "render/svg/svg_page.h"

namespace weft::app {

// A panel as it was when the user added it.
struct ReportItem {
  uint64_t id = 0;                                 // from 1
  std::string title;                               // of the panel
  std::string note;                                // the user's
  std::string context;                             // trace, times, options
  std::shared_ptr<const render::SvgPage> picture;  // null: not yet drawn
  Sheet table;                                     // its main table; no columns: none
};

struct Report {
  std::vector<ReportItem> items;

  // The item with that id; null: none.
  ReportItem* find(uint64_t id) {
    const auto item = std::ranges::find(items, id, &ReportItem::id);
    return item == items.end() ? nullptr : &*item;
  }
};

}  // namespace weft::app
