#include "core/formats/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/base/text.h"
#include "core/formats/btrace_reader.h"
#include "core/formats/chrome_json_reader.h"
#include "core/formats/cpu_profile_reader.h"
#include "core/formats/csv_reader.h"
#include "core/formats/ctf_reader.h"
#include "core/formats/firefox_reader.h"
#include "core/formats/folded_reader.h"
#include "core/formats/ftrace_reader.h"
#include "core/formats/message_json_reader.h"
#include "core/formats/message_xml_reader.h"
#include "core/formats/nexus_lite_reader.h"
#include "core/formats/ninja_log_reader.h"
#include "core/formats/otf2_reader.h"
#include "core/formats/paje_reader.h"
#include "core/formats/paraver_reader.h"
#include "core/formats/perf_script_reader.h"
#include "core/formats/perfetto_reader.h"
#include "core/formats/perfetto_writer.h"
#include "core/formats/pj_dump_reader.h"
#include "core/formats/pprof_reader.h"
#include "core/formats/shiviz_reader.h"
#include "core/formats/spall_reader.h"
#include "core/formats/speedscope_reader.h"
#include "core/formats/strace_reader.h"
#include "core/formats/tlv_reader.h"
#include "core/formats/trace_dat_reader.h"
#include "core/formats/uftrace_reader.h"
#include "core/formats/vcd_reader.h"
#include "core/formats/writers/chrome_json_writer.h"
#include "core/formats/writers/csv_writer.h"
#include "core/formats/writers/paje_writer.h"
#include "core/formats/writers/pj_dump_writer.h"

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
    {"\xC1\x1F\xFC\xC1", "a stream of a CTF trace: open its folder"},
    {"\xC1\xFC\x1F\xC1", "a stream of a CTF trace: open its folder"},
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

// Of a score for each; none where all are 0.
template <class Score>
const Format* surest(const Score& score_of) {
  const Format* best = nullptr;
  int best_score = 0;
  for (const Format& format : formats()) {
    const int score = score_of(format);
    if (score <= best_score) continue;
    best = &format;
    best_score = score;
  }
  return best;
}

Result<const Format*> recognise_folder(const io::Source& folder) {
  const Format* format = surest([&](const Format& each) {
    return each.sniff_folder == nullptr ? 0 : each.sniff_folder(folder);
  });
  if (format != nullptr) return format;
  return fail("is a folder, but no trace that is one (`weftscope formats` lists them)");
}

std::span<const Format> table() {
  static const std::vector<Format> kFormats = {
      {.id = "chrome-json",
       .name = "Chrome Trace Event JSON",
       .category = "General",
       .extensions = {"json", "trace", "log"},
       .sniff = sniff_chrome_json,
       .read = read_chrome_json,
       .create_writer = create_chrome_json_writer,
       .version = 3},
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
       .read = read_paje,
       .create_writer = create_paje_writer},
      {.id = "ctf",
       .name = "Common Trace Format (LTTng, barectf, Zephyr)",
       .category = "Kernel",
       .extensions = {"metadata"},
       .sniff = sniff_ctf,
       .read = read_ctf,
       .sniff_folder = sniff_ctf_folder,
       .is_foreign = true},
      {.id = "ftrace",
       .name = "ftrace as text",
       .category = "Kernel",
       .extensions = {"txt", "ftrace", "systrace", "html"},
       .sniff = sniff_ftrace,
       .read = read_ftrace},
      {.id = "trace-dat",
       .name = "trace.dat of trace-cmd",
       .category = "Kernel",
       .extensions = {"dat"},
       .sniff = sniff_trace_dat,
       .read = read_trace_dat,
       .is_foreign = true},
      {.id = "uftrace",
       .name = "uftrace",
       .category = "Profiles",
       .extensions = {"data"},
       .sniff = sniff_uftrace,
       .read = read_uftrace,
       .sniff_folder = sniff_uftrace_folder},
      {.id = "perf-script",
       .name = "perf script",
       .category = "Kernel",
       .extensions = {"txt", "perf"},
       .sniff = sniff_perf_script,
       .read = read_perf_script},
      {.id = "perfetto",
       .name = "Perfetto",
       .category = "General",
       .extensions = {"pftrace", "perfetto-trace", "pb", "trace"},
       .sniff = sniff_perfetto,
       .read = read_perfetto,
       .create_writer = create_perfetto_writer,
       .version = 2},
      {.id = "folded",
       .name = "Folded stacks",
       .category = "Profiles",
       .extensions = {"folded", "txt"},
       .sniff = sniff_folded,
       .read = read_folded},
#ifdef WEFT_HAS_OTF2
      {.id = "otf2",
       .name = "Open Trace Format 2",
       .category = "High-performance computing",
       .extensions = {"otf2"},
       .sniff = sniff_otf2,
       .read = read_otf2,
       .sniff_folder = sniff_otf2_folder,
       .is_foreign = true},
#endif
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
       .read = read_pj_dump,
       .create_writer = create_pj_dump_writer},
      {.id = "spall",
       .name = "Spall",
       .category = "Profiles",
       .extensions = {"spall"},
       .sniff = sniff_spall,
       .read = read_spall},
      {.id = "pprof",
       .name = "pprof profile",
       .category = "Profiles",
       .extensions = {"pb", "pprof", "prof"},
       .sniff = sniff_pprof,
       .read = read_pprof},
      {.id = "speedscope",
       .name = "speedscope",
       .category = "Profiles",
       .extensions = {"json"},
       .sniff = sniff_speedscope,
       .read = read_speedscope},
      {.id = "firefox",
       .name = "Firefox profile",
       .category = "Profiles",
       .extensions = {"json"},
       .sniff = sniff_firefox,
       .read = read_firefox},
      {.id = "cpu-profile",
       .name = "CPU profile of Chrome and Node.js",
       .category = "Profiles",
       .extensions = {"cpuprofile", "json"},
       .sniff = sniff_cpu_profile,
       .read = read_cpu_profile},
      {.id = "strace",
       .name = "strace",
       .category = "Kernel",
       .extensions = {"strace", "txt", "log"},
       .sniff = sniff_strace,
       .read = read_strace},
      {.id = "shiviz",
       .name = "ShiViz log",
       .category = "Messages",
       .extensions = {"log"},
       .sniff = sniff_shiviz,
       .read = read_shiviz},
      {.id = "ninja-log",
       .name = "Ninja build log",
       .category = "General",
       .extensions = {"ninja_log"},
       .sniff = sniff_ninja_log,
       .read = read_ninja_log},
      {.id = "csv",
       .name = "Comma-separated values",
       .category = "General",
       .extensions = {"csv", "tsv"},
       .sniff = sniff_csv,
       .read = read_csv,
       .create_writer = create_csv_writer},
      {.id = "tlv",
       .name = "TLV standard log",
       .category = "Embedded",
       .extensions = {"log"},
       .sniff = sniff_tlv,
       .read = read_tlv},
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
  if (source.is_folder()) return recognise_folder(source);
  WEFT_TRY_ASSIGN(const std::span<const std::byte> peeked, source.peek(kHeadBytes));
  const auto head = peeked.first(std::min(peeked.size(), kHeadBytes));
  const Format* format = surest([&](const Format& each) { return each.sniff(head); });
  if (format != nullptr) return format;
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  return fail(fmt::format("is of no known format (`weftscope formats` lists them): it is {}",
                          describe(text)));
}

// The file of an archive that a format is surest of; what it needs lies beside it.
Result<std::unique_ptr<io::Source>> trace_in(const io::Source& archive) {
  constexpr size_t kMostFiles = 256;
  if (archive.files().size() > kMostFiles) return fail("is an archive of many files, no trace");
  std::unique_ptr<io::Source> best;
  int best_score = 0;
  std::string name, rival;
  for (const io::FolderFile& each : archive.files()) {
    auto file = archive.open_file(each.name);
    if (!file || (*file)->is_folder()) continue;
    const auto head = (*file)->peek(kHeadBytes);
    if (!head) continue;
    int score = 0;
    for (const Format& format : formats())
      score = std::max(score, format.sniff(head->first(std::min(head->size(), kHeadBytes))));
    if (score == best_score) rival = each.name;
    if (score <= best_score) continue;
    best = std::move(*file);
    best_score = score;
    name = each.name;
    rival.clear();
  }
  if (best == nullptr) return fail("is an archive of files of no known format");
  if (rival.empty()) return best;
  return fail(fmt::format("is an archive of several traces, {} and {}: unpack it", printable(name),
                          printable(rival)));
}

Result<Input> recognise(std::unique_ptr<io::Source> source, std::string_view id) {
  Input input{.source = std::move(source)};
  const bool is_archive = input.source->is_unpacked() && input.source->is_folder();
  if (is_archive && !recognise_folder(*input.source)) {
    WEFT_TRY_ASSIGN(input.source, trace_in(*input.source));
  }
  if (id.empty()) {
    WEFT_TRY_ASSIGN(input.format, recognise(*input.source));
  } else {
    input.format = format_from_id(id);
    if (input.format == nullptr || !input.format->reads)
      return fail(fmt::format("'{}' is no format that can be read", id));
  }
  const bool reads_folders = input.format->sniff_folder != nullptr;
  if (!reads_folders && input.source->is_folder()) return fail("is not a file: it is a folder");
  if (!reads_folders || input.source->is_folder()) return input;
  if (input.source->path() == "-") return fail("is a part of a trace that is a folder: open that");
  const std::filesystem::path folder = input.source->path().parent_path();
  WEFT_TRY_ASSIGN(input.source, io::Source::open(folder.empty() ? "." : folder));
  return input;
}

}  // namespace weft::formats
