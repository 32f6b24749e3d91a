// The registry of trace types (formats), one row each. Adding a format to the program takes one
// file and one row (built_in.h); add_format() adds what a user provides: definitions and plugins.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/thread_pool.h"
#include "core/base/time.h"
#include "core/formats/beside.h"
#include "core/io/source.h"
#include "core/trace/event_sink.h"

namespace weft::formats {

// Of a trace of several parts whose reader may die of one (Format::is_foreign): whoever has started
// its process learns which, and starts it again without that part.
struct RiskyParts {
  // Called before parts are touched, any of which may end the process, with their names.
  std::function<void(std::span<const std::string> names)> on_touch = nullptr;
  std::vector<std::string> left_out = {};  // are not touched
  // Each part is first read alone, and nothing of it given: a reader that dies of one of many then
  // says of which.
  bool are_tried = false;
};

struct ReadContext {
  ThreadPool& pool;                      // for parallel parsing; call the sink from one thread only
  uint64_t memory_bytes = 128ull << 20;  // for the reader's own buffers
  std::map<std::string, std::string> options;
  // When the input was last changed, since 1970, for logs that give no year. nullopt: unknown.
  std::optional<Time> changed = {};
  RiskyParts risky = {};

  // The chosen value of an option; empty: none.
  std::string_view option(std::string_view name) const {
    const auto it = options.find(std::string(name));
    return it == options.end() ? std::string_view() : it->second;
  }
};

// A sink that writes a trace file in one format. The file appears once finish() is done, which also
// reports any failure.
class Writer : public trace::EventSink {
 public:
  virtual Status finish() = 0;
  // What the format could not express: "2 events", "parameters of 7 events". Complete after
  // finish().
  virtual std::vector<std::string> left_out() const { return {}; }
  virtual uint64_t events_left_out() const { return 0; }
};

// An option that a user may give for reading; ReadContext::options by name.
struct Option {
  enum class Kind : uint8_t { kText, kNumber };
  std::string name;           // a word: "states"
  std::string about;          // one sentence
  std::string fallback = {};  // the default
  Kind kind = Kind::kText;
};

// A column of the event table that this type of trace shows by default.
struct Column {
  std::string title;
  std::string param;  // the parameter shown, as named in the filter language: "pos.x"
};

// A page of statistics for this type of trace: an SQL query (docs/sql.md) over [:from, :to).
struct Page {
  std::string id;  // a word
  std::string title;
  std::string sql;                          // one statement
  std::vector<std::string> durations = {};  // columns that are durations, in ticks
};

struct Format {
  std::string id;                       // "chrome-json"
  std::string name;                     // "Chrome Trace Event JSON"
  std::string category;                 // "General", "Embedded", …
  std::string icon = {};                // one or two characters of the body font
  std::vector<std::string> extensions;  // without the dot
  bool reads = true;
  // Returns how surely the format can read what begins with `head` (decompressed; up to 64 KiB, or
  // the whole file if shorter): 0 no … 100 a magic number. The content decides, not the name.
  std::function<int(std::span<const std::byte> head)> sniff;
  // Upper bound of sniff(): if that is slow, it is skipped once another format is surer than this.
  int most_sure = 100;
  // Streams the trace into the sink. Fails only if nothing can be read; a bad record does not make
  // a bad file: it is skipped and counted by sink.loss(). Stops early, without error, when
  // sink.keep_going() turns false. Called from any thread.
  std::function<Status(io::Source& source, trace::EventSink& sink, const ReadContext& context)>
      read;
  // For traces that are folders: how surely the format can read a folder, by its files. `sniff`
  // then recognises one of these files, which opens the folder; `read` gets folders only. Null:
  // traces are files.
  std::function<int(const io::Source& folder)> sniff_folder = nullptr;
  // Of several traces in one folder, `read` gives the one by whose file the folder was opened
  // (io::Source::named_file).
  bool reads_named_file = false;
  // For traces of several files side by side, any of which opens all: the name of the trace to
  // which a file of this name belongs; empty: to none. A folder of one such trace is opened as it.
  std::function<std::string(std::string_view file_name)> run_of = nullptr;
  // For other traces whose reader opens more files beside the one that is named (beside.h): whether
  // it may open one of this name. Null: it opens none, or those of the same run.
  OpensBeside opens_beside = nullptr;
  // Read by a library that may crash on unexpected bytes: always read in a process of its own.
  bool is_foreign = false;
  // Its reader delivers most events only after reading everything; it then gets half of an import's
  // memory, otherwise a quarter.
  bool holds_events_back = false;
  // The unit of the places in its reader's losses.
  trace::PlaceUnit place_unit = trace::PlaceUnit::kByte;
  // Creates a writer to `path`; null: the format cannot be written.
  std::function<Result<std::unique_ptr<Writer>>(const std::filesystem::path& path)> create_writer =
      nullptr;
  // Incremented when reading changes, so that cached imports are redone.
  int version = 1;
  std::vector<Option> options = {};  // others are rejected
  std::vector<Column> columns = {};
  std::vector<Page> pages = {};
  // Panels (docs/manual.md) that open with a trace, beside overview and timeline.
  std::vector<std::string> panels = {"density"};
  // The file that defines the type, from which a reader process makes the same row
  // (user_formats.h); empty: built in.
  std::filesystem::path origin = {};
};
// Rows are immutable and shared: a row stays usable whatever is added meanwhile.
using FormatPtr = std::shared_ptr<const Format>;

// Makes the built-in rows, field by field; anew with each call.
std::vector<Format> built_in_formats();

// All rows: built-in ones, then added ones. Thread-safe; copies a pointer per row.
std::vector<FormatPtr> formats();
FormatPtr format_from_id(std::string_view id);  // null: unknown id
// The rows present now, without those that add_formats_later() has yet to add.
std::vector<FormatPtr> present_formats();

// Adds a row, or replaces an added one with the same id. Fails if the id is that of a built-in row,
// or not a word of a-z, 0-9 and '-'.
Status add_format(Format format);
// For rows that take time to find (a plugin needs a process): `add` is called once, on the first
// request for all rows or for one that is not present.
void add_formats_later(std::function<void()> add);

// Fails if an option is unknown to the format or of another kind.
Status check_options(const Format& format, const std::map<std::string, std::string>& options);
// Reads the source with the format, using the defaults of its options; if it has the option
// `states`, also makes states of punctual events (state_adapter.h).
Status read(const Format& format, io::Source& source, trace::EventSink& sink,
            const ReadContext& context);

// The most bytes that sniff() gets.
inline constexpr size_t kHeadBytes = 64 << 10;

// Returns the format that is surest of the source's content; the error says what was expected and
// what the content looks like instead.
Result<FormatPtr> recognise(io::Source& source);

// An opened trace and the format to read it with.
struct Input {
  std::unique_ptr<io::Source> source;
  FormatPtr format = nullptr;
};
// The traces in a source: one (of an HTML page the largest), all of an archive, or a few of a
// folder.
struct Inputs {
  std::vector<Input> inputs;
  std::vector<std::string> names = {};  // names in the archive, one each; empty for a single trace
  uint64_t others = 0;  // files of the archive that belong to no trace; other parts of a page
};
// Recognises the source, or takes it as the format `id`. A file of a trace that is a folder is
// opened as that folder. Fails if there is no trace.
Result<Inputs> recognise_all(std::unique_ptr<io::Source> source, std::string_view id);
// The same of the only trace there is; fails if there are several.
Result<Inputs> recognise_single(std::unique_ptr<io::Source> source, std::string_view id);

}  // namespace weft::formats
