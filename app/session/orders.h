// Requests from commands to the workbench, carried out as soon as what they need is available.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/base/json.h"
#include "app/base/sheet.h"
#include "core/base/result.h"

namespace weft::app {

// Whether a picture of that name consists of shapes and text (.svg) rather than being a PNG (.png,
// or no ending). Other endings are an error.
Result<bool> is_vector_picture(const std::filesystem::path& output);

// A picture to take once a frame shows nothing stale.
struct SnapshotRequest {
  std::string panel;  // an instance, a kind, or "workbench"
  int width_px = 0;   // 0: the present size
  int height_px = 0;
  std::filesystem::path output;
  bool is_svg = false;
  std::filesystem::path context = {};  // a text that says what it shows; empty: none
  uint64_t report_item = 0;  // if set, the picture goes into the report as shapes, not to a file
};

// A table to write or copy once its rows are there; see offer_sheet.
struct TableOrder {
  std::string panel;  // id of the instance
  std::string table;  // which of the panel's tables; empty: its main one
  SheetFormat format = SheetFormat::kCsv;
  std::filesystem::path file;  // empty: to the clipboard
  uint64_t serial = 0;         // grows with every order
  uint64_t report_item = 0;    // if set, the table goes into the report
};

// A table that has been told to sort. Kept until it is drawn and reports the columns it can be
// sorted by, or its panel is closed.
struct SortOrder {
  std::string panel;       // id of the instance
  std::string table;       // as in TableOrder
  std::string column;      // its id
  Json before;             // the value that the option is set back to; null: none
  bool is_option = false;  // not told to sort now: it waits until the table is there

  std::string option() const { return table.empty() ? "sort" : table + ".sort"; }
};

struct Orders {
  std::vector<SnapshotRequest> snapshots;
  std::vector<TableOrder> tables;
  std::vector<SortOrder> sorts;
  std::optional<std::string> clipboard;  // to be put on the clipboard after the frame
  uint32_t edited_marker = 0;            // the marker whose editor is to open, once; 0: none
  std::string fit_rows_in;  // a panel that is to choose the height that fills it; empty: none
  bool is_quitting = false;

  // Assigns the order its serial.
  void add(TableOrder order) {
    static uint64_t last_serial = 0;  // commands are applied on one thread
    order.serial = ++last_serial;
    tables.push_back(std::move(order));
  }
};

}  // namespace weft::app
