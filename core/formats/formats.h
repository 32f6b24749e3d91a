// The registered trace types: one row each. Adding a format to the program is one file and one row
// (built_in.h); add_format() takes in what a user brings: definitions and plugins.
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
#include "core/io/source.h"
#include "core/trace/event_sink.h"

namespace weft::formats {

struct ReadContext {
  ThreadPool& pool;  // for readers that parse in parallel; the sink is called from one thread only
  uint64_t memory_bytes = 128ull << 20;  // for the reader's own buffers
  std::map<std::string, std::string> options;
  // When what is read was changed last, since 1970: logs may say no year. None: nobody knows.
  std::optional<Time> changed = {};

  // What was chosen of an option; empty: nothing.
  std::string_view option(std::string_view name) const {
    const auto it = options.find(std::string(name));
    return it == options.end() ? std::string_view() : it->second;
  }
};

// Writes what it is given as a trace of a format. Its file appears when finish() is done; what
// fails on the way is told there.
class Writer : public trace::EventSink {
 public:
  virtual Status finish() = 0;
  // What the format has no words for: "2 events", "parameters of 7 events". Known when finish() is
  // done.
  virtual std::vector<std::string> left_out() const { return {}; }
  virtual uint64_t events_left_out() const { return 0; }
};

// What a user may say about reading a trace: ReadContext::options by name.
struct Option {
  enum class Kind : uint8_t { kText, kNumber };
  std::string name;           // a word: "states"
  std::string about;          // one sentence
  std::string fallback = {};  // what it is where it is not given
  Kind kind = Kind::kText;
};

// A column of the event table that events of this type of trace deserve.
struct Column {
  std::string title;
  std::string param;  // the parameter that it shows, as the filter language names it: "pos.x"
};

// Figures that this type of trace deserves: an answer in SQL (docs/sql.md) over [:from, :to).
struct Page {
  std::string id;  // a word
  std::string title;
  std::string sql;                          // one statement
  std::vector<std::string> durations = {};  // columns that are lengths of time, in ticks
};

struct Format {
  std::string id;                       // "chrome-json"
  std::string name;                     // "Chrome Trace Event JSON"
  std::string category;                 // "General", "Embedded", …
  std::string icon = {};                // a sign or two, of the body font
  std::vector<std::string> extensions;  // without the dot
  bool reads = true;
  // How sure the format is that it can read what begins with `head` (decompressed; up to 64 KiB, or
  // the whole file if it is shorter): 0 no … 100 a magic number. The content decides, not the name.
  std::function<int(std::span<const std::byte> head)> sniff;
  // As sure as it ever is taken to be: where it takes long to say, and others may be surer, it is
  // not asked where one of them is.
  int most_sure = 100;
  // Streams the trace into the sink. An error means that nothing can be read; a bad record is not a
  // bad file: it is skipped and counted by sink.loss(). Stops early, without error, when
  // sink.keep_going() turns false. Called from any thread.
  std::function<Status(io::Source& source, trace::EventSink& sink, const ReadContext& context)>
      read;
  // Where a trace is a folder: how sure the format is of one, by its files. `sniff` then knows one
  // of these files, and opening it opens its folder; `read` is given folders only. Null: traces are
  // files.
  std::function<int(const io::Source& folder)> sniff_folder = nullptr;
  // Where files beside each other are one trace, each of which opens all: what the trace is called
  // of which a file with this name is; empty: of none. A folder of one such trace is opened as it.
  std::function<std::string(std::string_view file_name)> run_of = nullptr;
  // Read by a library that may end the process on bytes that it does not expect: always read in a
  // process of its own.
  bool is_foreign = false;
  // Its reader gives most events when it has read all: half of the memory of an import is its then,
  // else a quarter.
  bool holds_events_back = false;
  // What the places are counted in that its reader gives losses.
  trace::PlaceUnit place_unit = trace::PlaceUnit::kByte;
  // A writer of a file of the format; null: it cannot be written.
  std::function<Result<std::unique_ptr<Writer>>(const std::filesystem::path& path)> create_writer =
      nullptr;
  // Bumped when reading changes, so that cached imports are made again.
  int version = 1;
  std::vector<Option> options = {};  // no others are taken
  std::vector<Column> columns = {};
  std::vector<Page> pages = {};
  // Kinds of panels (docs/manual.md) that open with a trace, beside its overview and its timeline.
  std::vector<std::string> panels = {"density"};
  // The file that defines the type, from which a reader process makes the same row again
  // (user_formats.h); empty: built in.
  std::filesystem::path origin = {};
};
// Rows are immutable and shared: who holds one may use it whatever is added meanwhile.
using FormatPtr = std::shared_ptr<const Format>;

// The program's own rows, field by field: made anew by each call.
std::vector<Format> built_in_formats();

// The built-in rows, then those that were added. Thread-safe; copies some thirty pointers.
std::vector<FormatPtr> formats();
FormatPtr format_from_id(std::string_view id);  // null: there is none
// Those that are there now: without what add_formats_later() has not yet added.
std::vector<FormatPtr> present_formats();

// Adds a row, or puts it in the place of an added one with its id. An error: the id is a built-in
// row's, or no word of a-z, 0-9 and '-'.
Status add_format(Format format);
// For rows that take time to be found (a plugin is a process): `add` is called once, by whoever
// first asks for all rows, or for one that is not present.
void add_formats_later(std::function<void()> add);

// An error where an option is none of the format's, or is of another kind.
Status check_options(const Format& format, const std::map<std::string, std::string>& options);
// Reads by the format, with the fallbacks of its options; where it has the option `states`, also
// the states that it makes of punctual events (state_adapter.h).
Status read(const Format& format, io::Source& source, trace::EventSink& sink,
            const ReadContext& context);

// What sniff() is given at most.
inline constexpr size_t kHeadBytes = 64 << 10;

// The format that is surest of the source's content; an error says what was looked for and what the
// content looks like instead.
Result<FormatPtr> recognise(io::Source& source);

// What a path names, and how it is read.
struct Input {
  std::unique_ptr<io::Source> source;
  FormatPtr format = nullptr;
};
// Recognises what was opened, or takes it for the format of this id. A file of a trace that is a
// folder is opened as that folder. An error: it is none, or holds several.
Result<Input> recognise(std::unique_ptr<io::Source> source, std::string_view id);

// The traces that a source holds: one (of a page of HTML the largest), or those of an archive, or a
// few of a folder.
struct Inputs {
  std::vector<Input> inputs;
  std::vector<std::string> names = {};  // of each, in the archive; none where it is one trace
  uint64_t others = 0;  // files of the archive that are no part of one; parts of a page beside it
};
Result<Inputs> recognise_all(std::unique_ptr<io::Source> source, std::string_view id);

}  // namespace weft::formats
