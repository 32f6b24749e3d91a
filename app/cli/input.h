// The options that commands share: which trace, how it is opened, and which of its events.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <initializer_list>
#include <map>
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

using TracePtr = std::shared_ptr<const store::Trace>;

// How a trace is read, by options: --format ID (or as `format_option` calls it) and --option K=V;
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
  uint64_t memory_bytes = 400ull << 20;
  bool is_uncached = false;
  std::vector<std::string> symbols;  // where names and structs come from

  void declare_file(CLI::App& app);
  void declare_symbols(CLI::App& app);
  // FILE, --format (or --input-format where --format is taken), --option, --memory, --no-cache,
  // --symbols.
  void declare(CLI::App& app, const std::string& format_option = "--format,--input-format");
  // With names, where --symbols is given. Errors begin with the file.
  Result<TracePtr> open(ThreadPool& pool) const;
  // All traces of an archive, without names.
  Result<std::vector<TracePtr>> open_all(ThreadPool& pool) const;
  Result<app::NamedTrace> open_named(ThreadPool& pool) const;
  std::string shown_file() const;

 private:
  std::unique_ptr<app::Opening> start(ThreadPool& pool, bool takes_several) const;
};

// 0, 1, 2 …
CLI::Validator whole_number();

// --format, one of these, and --json, which stands for one of them: wrong usage where both are
// given and are not the same.
void declare_print_format(CLI::App& app, const std::string& help, std::set<std::string> formats,
                          const std::string& json, std::string& format);

// Options of which the first one would be left out of account: wrong usage.
void exclude(CLI::App& app, const std::string& option, std::initializer_list<const char*> others);

// An option whose value is a size as 400M or 2G, not below the least.
void declare_size(CLI::App& app, const std::string& option, const std::string& help, uint64_t least,
                  uint64_t& bytes);
// --memory SIZE, for every command that may import.
void declare_memory(CLI::App& app, uint64_t& memory_bytes);

// --size WxH of a picture, or of the window.
struct PictureSize {
  int width = 1920;
  int height = 1080;
  void declare(CLI::App& app);
  void declare(CLI::App& app, const std::string& what_without);
};

// --keep-last, --trigger and --after: of what comes through a pipe.
struct RecordingOptions : app::Recording {
  void declare(CLI::App& app);
  // What is wrong with them together, or for these files; else empty.
  std::string problem(const std::vector<std::string>& files, bool follows) const;
};

// Waits until the trace is open; shows how far it is where standard error is a terminal. `stop`:
// ends the reading of what comes through a pipe. May be null.
Result<TracePtr> wait_with_progress(app::Opening& opening, const StopSignal* stop = nullptr);

// One option per filter (core/query/filter/filters.h).
class FilterOptions {
 public:
  void declare(CLI::App& app, std::initializer_list<std::string_view> ids);
  void require(CLI::App& app, std::initializer_list<std::string_view> ids);
  // A filter that is given otherwise.
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
