// What commands ask of whoever draws: done once what it needs is there.
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

// Whether a picture of that name is shapes and text (.svg), or a PNG (.png, no ending). No other.
Result<bool> is_vector_picture(const std::filesystem::path& output);

// A picture to be taken once a frame shows nothing stale.
struct SnapshotRequest {
  std::string panel;  // an instance, a kind, or "workbench"
  int width_px = 0;   // 0: as it is
  int height_px = 0;
  std::filesystem::path output;
  bool is_svg = false;
  bool has_context = false;  // a text beside it says what is seen: OUTPUT.txt
  uint64_t report_item = 0;  // of the report: it is shapes and goes there, into no file
};

// A table that is to leave the program, once its rows are there; see offer_sheet.
struct TableOrder {
  std::string panel;  // id of the instance
  std::string table;  // which of the panel's; empty: its main one
  SheetFormat format = SheetFormat::kCsv;
  std::filesystem::path file;  // empty: to the clipboard
  uint64_t serial = 0;         // grows with every order
  uint64_t report_item = 0;    // of the report: it goes there
};

// A table that has been told to sort, until it is drawn and says by what it can be.
struct SortOrder {
  std::string panel;   // id of the instance
  std::string table;   // as in TableOrder
  std::string column;  // its id
  Json before;         // what the option was; null: nothing

  std::string option() const { return table.empty() ? "sort" : table + ".sort"; }
};

struct Orders {
  std::vector<SnapshotRequest> snapshots;
  std::vector<TableOrder> tables;
  std::vector<SortOrder> sorts;
  std::optional<std::string> clipboard;  // to be put there after the frame
  uint32_t edited_marker = 0;  // the panel of markers is to open its editor, once; 0: none
  std::string fit_rows_in;     // a panel that is to answer which height fills it; empty: none
  bool is_quitting = false;

  // Gives the order its serial.
  void add(TableOrder order) {
    static uint64_t last_serial = 0;  // commands are applied on one thread
    order.serial = ++last_serial;
    tables.push_back(std::move(order));
  }
};

}  // namespace weft::app
