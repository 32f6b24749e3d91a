#include "core/formats/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/base/text.h"
#include "core/formats/btrace_reader.h"
#include "core/formats/chrome_json_reader.h"
#include "core/formats/folded_reader.h"
#include "core/formats/ftrace_reader.h"
#include "core/formats/message_json_reader.h"
#include "core/formats/message_xml_reader.h"
#include "core/formats/nexus_lite_reader.h"
#include "core/formats/paje_reader.h"
#include "core/formats/paraver_reader.h"
#include "core/formats/perf_script_reader.h"
#include "core/formats/pj_dump_reader.h"
#include "core/formats/vcd_reader.h"

namespace weft::formats {
namespace {

constexpr size_t kHeadBytes = 64 << 10;

struct Magic {
  std::string_view bytes;
  std::string_view what;
};

// Contents that people open by mistake, for the error message.
constexpr Magic kMagics[] = {
    {"\x7F"
     "ELF",
     "an ELF executable"},
    {"WEFT", "a .weft store, which is opened, not imported"},
    {"\x89PNG", "a PNG picture"},
    {"%PDF", "a PDF document"},
    {"SQLite format 3", "an SQLite database"},
    {"DEFAULT_OPTIONS", "the labels of a Paraver trace: open the .prv beside it"},
    {"#!", "a script"},
    {"<?xml", "XML"},
    {"\xC1\x1F\xFC\xC1", "CTF metadata"},
    {"\x17\x08"
     "D",
     "a trace.dat of trace-cmd"},
    {"\xFF\xFE", "UTF-16 text: convert it to UTF-8 first"},
    {"\xFE\xFF", "UTF-16 text: convert it to UTF-8 first"},
};

std::string describe(std::string_view head) {
  for (const Magic& magic : kMagics) {
    if (head.starts_with(magic.bytes)) return std::string(magic.what);
  }
  const bool is_text = std::ranges::none_of(head, [](char c) {
    return static_cast<uint8_t>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\x1b';
  });
  const std::string begin = printable(head.substr(0, 40));
  return fmt::format("{} that begins with \"{}\"", is_text ? "text" : "binary data", begin);
}

std::span<const Format> table() {
  static const std::vector<Format> kFormats = {
      {.id = "chrome-json",
       .name = "Chrome Trace Event JSON",
       .category = "General",
       .extensions = {"json", "trace", "log"},
       .sniff = sniff_chrome_json,
       .read = read_chrome_json,
       .version = 2},
      {.id = "btrace",
       .name = "Btrace message log",
       .category = "Messages",
       .extensions = {"btrace", "txt", "log"},
       .sniff = sniff_btrace,
       .read = read_btrace},
      {.id = "message-json",
       .name = "Message events in JSON",
       .category = "Messages",
       .extensions = {"json", "jsonl"},
       .sniff = sniff_message_json,
       .read = read_message_json},
      {.id = "message-xml",
       .name = "Message events in XML",
       .category = "Messages",
       .extensions = {"xml"},
       .sniff = sniff_message_xml,
       .read = read_message_xml},
      {.id = "nexus-lite",
       .name = "Nexus-lite",
       .category = "Embedded",
       .extensions = {"nexus", "nexuslite"},
       .sniff = sniff_nexus_lite,
       .read = read_nexus_lite},
      {.id = "paje",
       .name = "Pajé",
       .category = "High-performance computing",
       .extensions = {"trace", "paje"},
       .sniff = sniff_paje,
       .read = read_paje},
      {.id = "ftrace",
       .name = "ftrace as text",
       .category = "Kernel",
       .extensions = {"txt", "ftrace", "systrace", "html"},
       .sniff = sniff_ftrace,
       .read = read_ftrace},
      {.id = "perf-script",
       .name = "perf script",
       .category = "Kernel",
       .extensions = {"txt", "perf"},
       .sniff = sniff_perf_script,
       .read = read_perf_script},
      {.id = "folded",
       .name = "Folded stacks",
       .category = "Profiles",
       .extensions = {"folded", "txt"},
       .sniff = sniff_folded,
       .read = read_folded},
      {.id = "paraver",
       .name = "Paraver",
       .category = "High-performance computing",
       .extensions = {"prv"},
       .sniff = sniff_paraver,
       .read = read_paraver},
      {.id = "pj-dump",
       .name = "pj_dump of a Pajé trace",
       .category = "High-performance computing",
       .extensions = {"csv", "pjdump"},
       .sniff = sniff_pj_dump,
       .read = read_pj_dump},
      {.id = "vcd",
       .name = "Value change dump",
       .category = "Embedded",
       .extensions = {"vcd"},
       .sniff = sniff_vcd,
       .read = read_vcd},
  };
  return kFormats;
}

}  // namespace

std::span<const Format> formats() { return table(); }

const Format* format_from_id(std::string_view id) {
  const auto it = std::ranges::find(table(), id, &Format::id);
  return it == table().end() ? nullptr : &*it;
}

Result<const Format*> recognise(io::Source& source) {
  WEFT_TRY_ASSIGN(const std::span<const std::byte> peeked, source.peek(kHeadBytes));
  const auto head = peeked.first(std::min(peeked.size(), kHeadBytes));
  const Format* best = nullptr;
  int best_score = 0;
  for (const Format& format : formats()) {
    const int score = format.sniff(head);
    if (score <= best_score) continue;
    best = &format;
    best_score = score;
  }
  if (best != nullptr) return best;
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  return fail(fmt::format("is of no known format (`weftscope formats` lists them): it is {}",
                          describe(text)));
}

}  // namespace weft::formats
