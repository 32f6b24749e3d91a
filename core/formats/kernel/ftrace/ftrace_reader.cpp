#include "core/formats/kernel/ftrace/ftrace_reader.h"

#include <string_view>

#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/kernel/ftrace/ftrace_line.h"
#include "core/formats/kernel/ftrace/ftrace_text.h"
#include "core/formats/kernel/ftrace/function_graph.h"
#include "core/formats/kernel/ftrace/process_dump.h"
#include "core/formats/kernel/ftrace/replay_columns.h"

namespace weft::formats {

int sniff_ftrace(std::span<const std::byte> head) {
  std::string_view text = as_chars(head);
  if (text.starts_with("Demonstrations of ")) return 0;  // of BCC's tools, some lines as examples
  // Above the columns of calls, where these say neither a CPU nor a task.
  const bool has_head = text.starts_with('#') && text.contains("FUNCTION");
  if (text.starts_with("uftrace file header:") || ftrace::ProcessDump::begins(text)) return 70;
  ftrace::Line line;
  ftrace::ReplayColumns columns;
  bool is_empty = text.starts_with("# tracer: ");  // but for comments
  constexpr size_t kMostLineBytes = 4096;
  while (!text.empty()) {
    std::string_view each = take_to(text, '\n');
    if (each.ends_with('\r')) each.remove_suffix(1);
    is_empty &= each.empty() || each.starts_with('#');
    if (each.size() > kMostLineBytes) continue;
    if (columns.take_header(each)) continue;
    ftrace::GraphLine call;
    const bool is_call = ftrace::parse_graph_line(each, columns, call) &&
                         (call.has_place || has_head) && ftrace::begins_call(call.call) &&
                         call.call.contains('(');
    if (is_call || ftrace::parse_line(each, line)) return 70;
  }
  return is_empty ? 70 : 0;
}

Status read_ftrace(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  ftrace::Text text(sink);
  if (const auto machine = context.option("machine"); !machine.empty())
    text.set_architecture(machine);
  for_each_line(source, sink,
                [&](const io::Line& line) { text.add(line.text, line.offset, line.is_open); });
  text.finish();
  return {};
}

}  // namespace weft::formats
