#include "app/panels/desk/memory_panel.h"

#include "core/base/large_vector.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

constexpr TableColumn kMemoryColumns[] = {
    {.id = "kind", .title = "Memory", .width_px = 230},
    {.id = "size", .title = "Size", .width_px = 100, .is_number = true},
    {.id = "most", .title = "At most", .width_px = 100, .is_number = true},
    {.id = "note", .title = "What it is", .width_px = 420}};
enum MemoryColumn : size_t { kKind, kSize, kMost, kNote };

struct Line {
  int level;
  const char* kind;
  uint64_t bytes;
  uint64_t most;  // 0: it has no bound of its own
  const char* note;
};

class MemoryRows final : public TableRows {
 public:
  explicit MemoryRows(std::vector<Line> lines) : lines_(std::move(lines)) {}
  uint64_t count() const override { return lines_.size(); }
  TableRow row(uint64_t row) const override {
    TableRow state;
    state.level = lines_[row].level;
    return state;
  }
  std::string cell(uint64_t row, size_t column) const override {
    const Line& line = lines_[row];
    if (column == kSize) return format_bytes(line.bytes);
    if (column == kMost) return line.most == 0 ? "" : format_bytes(line.most);
    return column == kKind ? line.kind : line.note;
  }
  Sheet sheet() const override {
    return sheet_of_cells({"kind", "bytes", "most_bytes"}, lines_.size(),
                          [lines = lines_](uint64_t row, size_t column) -> Cell {
                            if (column == kSize) return lines[row].bytes;
                            if (column == kMost && lines[row].most == 0) return {};
                            if (column == kMost) return lines[row].most;
                            return std::string(lines[row].kind);
                          });
  }

 private:
  std::vector<Line> lines_;
};

}  // namespace

MemoryPanel::MemoryPanel(const PanelServices& services)
    : renderer_(services.renderer), memory_(services.memory) {}

void MemoryPanel::draw(const PanelInput& input, PanelOutput& output) {
  constexpr double kSeconds = 1;
  output.redraw.after(kSeconds);
  const auto use = memory_->use();
  output.is_stale |= use == nullptr;  // a second old is good enough
  const MemoryUse is = use ? *use : MemoryUse{};
  uint64_t mapped = 0;
  for (const auto& trace : input.session.traces) {
    if (trace->trace()) mapped += trace->trace()->size_bytes();
  }
  const MemoryKeeper& keeper = input.session.memory;
  const uint64_t tiles = input.tiles ? input.tiles->stats().bytes : 0;
  const LargeArraysUse answers = large_arrays_use();
  const uint64_t most_answers = keeper.limit() == 0 ? 0 : keeper.shares().answers_bytes;
  const uint64_t filtered = input.filter.rows ? input.filter.rows->size_bytes() : 0;
  const MemoryRows rows({
      {0, "In memory", is.resident_bytes, 0, "of the whole program, now"},
      {1, "Its own", is.own_bytes, keeper.limit(),
       "tables, tiles, rows made for filters, the program itself; "
       "with textures and imports, what memory_limit bounds"},
      {2, "Tables", input.table_bytes, 0,
       "of all panels, in memory or files: sorted rows, where events lie, sums, call stacks, SQL"},
      {2, "Answers", answers.memory_bytes, most_answers,
       "large parts of tables, many names, and what is being worked out; the rest goes to files"},
      {2, "Tiles", tiles, keeper.shares().tiles_bytes,
       "rows of this trace as they were drawn; the oldest leave"},
      {2, "Rows under filters", filtered, keeper.shares().filtered_bytes,
       "of this trace, with trees of their own; the oldest leave"},
      {1, "Pages of files", is.file_bytes, 0,
       "parts of mapped traces and libraries; given back on demand"},
      {2, "Answers in files", answers.file_bytes, 0,
       "without a name, in the cache folder; freed with what they are of"},
      {0, "At most so far", is.peak_bytes, 0, "of the whole program"},
      {0, "Imports and exports", input.session.import_bytes(), 0,
       "under way: what they may take, in the processes that read them, too"},
      {0, "Traces", mapped, 0, "the files that are mapped, whether in memory or not"},
      {0, "Textures and buffers", renderer_->gpu_bytes(), 0,
       "on the GPU, or where software stands in for it"},
  });
  TableInput table{input, input.area, kMemoryColumns};
  table.swatch_column = std::size(kMemoryColumns);
  table.footer = counted(input.session.traces.size(), "trace") + " open";
  table.is_stale = use == nullptr;
  table.is_in_own_order = true;
  (void)view_.draw(table, rows, output);
}

}  // namespace weft::app
