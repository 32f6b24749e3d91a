// Options that commands share: which trace, how it is opened, and which of its events.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/cli/stop_signal.h"
#include "app/opening/open.h"
#include "app/session/symbol_names.h"
#include "core/base/result.h"
#include "core/base/thread_pool.h"
#include "core/query/filter/filters.h"
#include "core/store/trace.h"

namespace weft::cli {

// Options for how a trace is read: --format ID (or the names in `format_option`) and --option K=V;
// and how it is reached: --ssh-jump, --ssh-key, --ssh-config.
struct TypeOptions : app::TypeChoice {
  void declare(CLI::App& app, const std::string& format_option = "--format,--input-format");
  void declare_follow(CLI::App& app);  // --follow

 private:
  void declare_way(CLI::App& app);
};

// FILE, and how to open it.
struct Input {
  std::string file;
  TypeOptions type;
  uint64_t memory_bytes = store::kUsualMemoryBytes;
  bool is_uncached = false;
  std::vector<std::string> symbols;  // where names and structs come from

  void declare_file(CLI::App& app);
  void declare_symbols(CLI::App& app);
  // Declares FILE, --format, --option, --memory, --no-cache and --symbols.
  void declare(CLI::App& app, const std::string& format_option = "--format,--input-format");
  // Opens the trace, under names if --symbols is given. Errors begin with the file.
  Result<store::TracePtr> open(ThreadPool& pool) const;
  // Opens all traces of an archive, without names.
  Result<std::vector<store::TracePtr>> open_all(ThreadPool& pool) const;
  Result<app::NamedTrace> open_named(ThreadPool& pool) const;
  std::string shown_file() const;

 private:
  std::unique_ptr<app::Opening> start(ThreadPool& pool, bool takes_several) const;

  bool may_mean_output_ = false;  // --format is of FILE, and may have been meant of what is printed
};

// Accepts 0, 1, 2 …
CLI::Validator whole_number();
// Accepts the name of a file to make: anything but nothing.
CLI::Validator file_name();

// Declares --format, one of `formats`, and --json, which stands for `json`: giving both is wrong
// usage unless they agree.
void declare_print_format(CLI::App& app, const std::string& help, std::set<std::string> formats,
                          const std::string& json, std::string& format);

// Makes giving `option` together with one of `others` wrong usage, since it would have no effect.
void exclude(CLI::App& app, const std::string& option, std::initializer_list<const char*> others);

// Declares an option whose value is a size such as 400M or 2G, at least `least` bytes.
void declare_size(CLI::App& app, const std::string& option, const std::string& help, uint64_t least,
                  uint64_t& bytes);
// Declares --memory SIZE, for every command that may import.
void declare_memory(CLI::App& app, uint64_t& memory_bytes);

// --size WxH, of a picture or of the window.
struct PictureSize {
  int width = 1920;
  int height = 1080;
  void declare(CLI::App& app);
  void declare(CLI::App& app, const std::string& what_without);
};

// --keep-last, --trigger and --after, for data from a pipe.
struct RecordingOptions : app::Recording {
  void declare(CLI::App& app);
  // What is wrong with the options together, or for these files; empty: nothing.
  std::string problem(const std::vector<std::string>& files, bool follows) const;
};

// Waits until the trace is open; shows progress if standard error is a terminal. `stop` ends the
// reading of a pipe; may be null.
Result<store::TracePtr> wait_with_progress(app::Opening& opening, const StopSignal* stop = nullptr);

// One option for each filter (core/query/filter/filters.h).
class FilterOptions {
 public:
  void declare(CLI::App& app, std::initializer_list<std::string_view> ids);
  void require(CLI::App& app, std::initializer_list<std::string_view> ids);
  // Adds a filter that is not given by an option.
  void use(std::string_view id, std::string value);
  Result<query::Selection> select(const store::Trace& trace) const;

 private:
  struct Offered {
    query::FilterUse use;
    CLI::Option* option = nullptr;
  };
  std::vector<std::unique_ptr<Offered>> offered_;
  std::vector<query::FilterUse> used_;
};

}  // namespace weft::cli
