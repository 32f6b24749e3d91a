#include "app/cli/input.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "app/cli/output.h"
#include "app/cli/tty_asker.h"
#include "core/base/ascii.h"
#include "core/base/large_vector.h"
#include "core/base/numbers.h"
#include "core/base/text.h"
#include "core/io/paths.h"
#include "core/symbols/symbol_files.h"

namespace weft::cli {
namespace {

constexpr uint64_t kLeastMemory = 16ull << 20;
constexpr int kMaxPixels = 16384;  // what OpenGL 4.1 promises of a texture's side

// "1920x1080"; empty where it is not a size.
std::string parse_size(const std::string& text, int& width, int& height) {
  std::string_view rest = text;
  const auto first = take_number<int>(rest);
  const auto second = rest.starts_with('x') ? parse_number<int>(rest.substr(1)) : std::nullopt;
  if (first && second && std::min(*first, *second) >= 1 &&
      std::max(*first, *second) <= kMaxPixels) {
    width = *first;
    height = *second;
    return {};
  }
  return fmt::format("'{}' is not a size; WIDTHxHEIGHT, each 1 to {}", text, kMaxPixels);
}

// What other commands take as --format for what they print.
bool names_output(std::string_view format) {
  return format == "table" || format == "csv" || format == "json" || format == "jsonl";
}

// To the terminal, for progress.
void show(std::string_view text) {
  Output terminal(STDERR_FILENO);
  terminal.text(text);
  static_cast<void>(terminal.finish());
}

// A file is read whole, or not at all; an input that has not begun has nothing to keep.
void obey(const StopSignal& stop, app::Opening& opening) {
  if (!opening.format().empty() && opening.bytes_total() == 0) return opening.cancel();
  stop.pass_on();
}

}  // namespace

CLI::Validator whole_number() {
  return {[](const std::string& text) {
            return parse_number<uint64_t>(text)
                       ? std::string()
                       : fmt::format("'{}' is not a number of 0 or more", text);
          },
          ""};
}

CLI::Validator file_name() {
  return {[](const std::string& text) {
            return text.empty() ? std::string("the name of a file is missing") : std::string();
          },
          ""};
}

void declare_print_format(CLI::App& app, const std::string& help, std::set<std::string> formats,
                          const std::string& json, std::string& format) {
  const CLI::Option* given = app.add_option("--format", format, help)
                                 ->check(CLI::IsMember(std::move(formats)))
                                 ->type_name("F");
  // Flags are told after the options that were declared before them, in whichever order they came.
  const auto take = [given, json, &format] {
    if (given->count() > 0 && format != json)
      throw CLI::ValidationError("--json", "contradicts --format " + format);
    format = json;
  };
  app.add_flag_callback("--json", take, "The same as --format " + json);
}

void exclude(CLI::App& app, const std::string& option, std::initializer_list<const char*> others) {
  for (const char* const other : others) app.get_option(option)->excludes(app.get_option(other));
}

void declare_size(CLI::App& app, const std::string& option, const std::string& help, uint64_t least,
                  uint64_t& bytes) {
  app.add_option_function<std::string>(
         option,
         [option, least, &bytes](const std::string& text) {
           bytes = parse_bytes(text);
           if (bytes < least) {
             throw CLI::ValidationError(
                 option, fmt::format("'{}' is not a size of at least {}M", text, least >> 20));
           }
         },
         help)
      ->type_name("SIZE");
}

void declare_memory(CLI::App& app, uint64_t& memory_bytes) {
  declare_size(app, "--memory", "Memory an import may use: 400M, 2G (default 400M)", kLeastMemory,
               memory_bytes);
}

void TypeOptions::declare(CLI::App& app, const std::string& format_option) {
  app.add_option(format_option, format, "Read it as this format (an id of weftscope formats)")
      ->type_name("ID");
  app.add_option_function<std::vector<std::string>>(
         "--option",
         [this](const std::vector<std::string>& given) {
           for (const std::string& option : given) {
             const size_t equals = option.find('=');
             if (equals == std::string::npos || equals == 0)
               throw CLI::ValidationError("--option", "'" + option + "' is not of the form K=V");
             const std::string value = option.substr(equals + 1);
             const auto [first, is_new] = options.try_emplace(option.substr(0, equals), value);
             if (!is_new && first->second != value)
               throw CLI::ValidationError(
                   "--option",
                   fmt::format("'{}' contradicts '{}={}'", option, first->first, first->second));
           }
         },
         "An option of the format (weftscope formats ID lists them); may be repeated")
      ->type_name("K=V")
      ->take_all()
      ->allow_extra_args(false);
  declare_way(app);
}

void TypeOptions::declare_way(CLI::App& app) {
  app.add_option("--ssh-jump", way.jump, "Of ssh://…: hosts on the way, [user@]host[:port],…")
      ->type_name("HOST");
  app.add_option("--ssh-key", way.key, "Of ssh://…: a private key to log in with")
      ->type_name("FILE");
  app.add_option("--ssh-config", way.config,
                 "Of ssh://…: read this configuration of ssh, not the user's; none: read none")
      ->type_name("FILE");
}

void TypeOptions::declare_follow(CLI::App& app) {
  app.add_flag("--follow", follows, "Go on with what is added to the files");
}

void PictureSize::declare(CLI::App& app) { declare(app, fmt::format("{}x{}", width, height)); }

void PictureSize::declare(CLI::App& app, const std::string& what_without) {
  app.add_option_function<std::string>(
         "--size",
         [this](const std::string& text) {
           if (const std::string error = parse_size(text, width, height); !error.empty()) {
             throw CLI::ValidationError("--size", error);
           }
         },
         "Size in pixels (default " + what_without + ")")
      ->type_name("WxH");
}

void RecordingOptions::declare(CLI::App& app) {
  app.add_option_function<std::vector<std::string>>(
         "--keep-last",
         [this](const std::vector<std::string>& given) {
           for (const std::string& text : given) {
             const app::Recording before = *this;
             if (const Status kept = app::set_kept(keep, text); !kept)
               throw CLI::ValidationError("--keep-last", kept.error().message);
             const bool is_second = !before.keep.last.empty() && keep.last != before.keep.last;
             if (is_second || (before.keep.bytes > 0 && keep.bytes != before.keep.bytes))
               throw CLI::ValidationError("--keep-last", "'" + text + "' contradicts the other");
           }
         },
         "Of what may have no end keep the newest only: a time (30s), a size (500MB), or both")
      ->type_name("TIME|SIZE")
      ->take_all()
      ->allow_extra_args(false);
  CLI::Option* trigger =
      app.add_option("--trigger", this->trigger,
                     "Stop reading when an event comes of which this expression is true")
          ->type_name("EXPR");
  app.add_option("--after", after,
                 "How long reading goes on behind that event (default: as long as --keep-last)")
      ->type_name("TIME")
      ->needs(trigger);
}

std::string RecordingOptions::problem(const std::vector<std::string>& files, bool follows) const {
  if (!is_set()) return {};
  if (const Status checked = check(*this); !checked) return "--" + checked.error().message;
  if (std::ranges::none_of(files, [&](auto& file) { return app::may_have_no_end(file, follows); }))
    return "--keep-last and --trigger are for what may have no end (-, a FIFO, ssh://…, a file "
           "that is followed); of a file, 'weftscope export --from T' takes a part";
  return {};
}

void Input::declare_file(CLI::App& app) {
  app.add_option("FILE", file,
                 "The trace; - reads standard input, ssh://[user@]host[:port]/path another machine")
      ->required();
}

void Input::declare_symbols(CLI::App& app) {
  app.add_option(
         "--symbols", symbols,
         "Names and structs: a folder or file of C sources, a program with debug information, "
         "or a symbol map; may be repeated")
      ->type_name("PATH")
      ->take_all()
      ->allow_extra_args(false);
}

void Input::declare(CLI::App& app, const std::string& format_option) {
  declare_file(app);
  type.declare(app, format_option);
  may_mean_output_ = format_option.starts_with("--format");
  declare_memory(app, memory_bytes);
  app.add_flag("--no-cache", is_uncached, "Neither use nor fill the cache of imports");
  declare_symbols(app);
}

Result<store::TracePtr> Input::open(ThreadPool& pool) const {
  WEFT_TRY_ASSIGN(app::NamedTrace named, open_named(pool));
  return std::move(named.trace);
}

std::unique_ptr<app::Opening> Input::start(ThreadPool& pool, bool takes_several) const {
  app::OpenOptions options;
  options.type = type;
  options.memory_bytes = memory_bytes;
  limit_large_arrays(memory_bytes, io::cache_folder());
  options.use_cache = !is_uncached;
  options.takes_several = takes_several;
  options.asker = terminal_asker();
  return app::Opening::start(file, std::move(options), pool);
}

Result<std::vector<store::TracePtr>> Input::open_all(ThreadPool& pool) const {
  const auto opening = start(pool, /*takes_several=*/true);
  auto only = wait_with_progress(*opening);
  if (only) return std::vector{std::move(*only)};
  std::vector<store::TracePtr> traces;
  for (const auto& part : opening->take_parts()) {
    WEFT_TRY_ASSIGN(traces.emplace_back(), wait_with_progress(*part));
  }
  if (traces.empty()) return fail(std::move(only).error());
  return traces;
}

Result<app::NamedTrace> Input::open_named(ThreadPool& pool) const {
  const auto opening = start(pool, /*takes_several=*/false);
  auto opened = wait_with_progress(*opening);
  if (!opened && may_mean_output_ && names_output(type.format))
    return fail(opened.error().message +
                "; --format is the type of FILE here: use --json to print JSON, and weftscope sql "
                "to print CSV");
  WEFT_TRY_ASSIGN(store::TracePtr trace, std::move(opened));
  if (symbols.empty()) return app::NamedTrace{.trace = std::move(trace)};
  const std::vector<std::filesystem::path> paths(symbols.begin(), symbols.end());
  WEFT_TRY_ASSIGN(auto known, symbols::read_symbols(paths));
  return app::with_names(trace, std::move(known));
}

std::string Input::shown_file() const { return file == "-" ? "standard input" : file; }

namespace {

Result<store::TracePtr> wait_and_show(app::Opening& opening, const StopSignal* stop) {
  constexpr auto kInterval = std::chrono::milliseconds(100);
  const bool is_shown = ::isatty(STDERR_FILENO) != 0;
  if (!is_shown && stop == nullptr) return opening.wait();
  bool has_shown = false, has_obeyed = false;
  auto next = std::chrono::steady_clock::now() + 3 * kInterval;  // what is quick says nothing
  while (!opening.is_done()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (stop != nullptr && stop->has_come() && !std::exchange(has_obeyed, true))
      obey(*stop, opening);
    if (!is_shown || std::chrono::steady_clock::now() < next) continue;
    next += kInterval;
    const uint64_t done = opening.bytes_done();
    if (done == 0) continue;  // somebody may be asked something
    has_shown = true;
    if (const auto ordered = opening.ordered_share()) {
      show(fmt::format("\rputting in order: {:.0f}%\x1b[K", 100 * *ordered));
      continue;
    }
    const uint64_t total = opening.bytes_total();
    const std::string share =
        total == 0 ? "" : fmt::format(" ({}%)", std::min(done, total) * 100 / total);
    show(fmt::format("\rreading: {}{}\x1b[K", format_bytes(done), share));
  }
  if (has_shown) show("\r\x1b[K");
  return opening.wait();
}

}  // namespace

Result<store::TracePtr> wait_with_progress(app::Opening& opening, const StopSignal* stop) {
  auto trace = wait_and_show(opening, stop);
  if (!trace && opening.is_unrecognised())
    return fail(trace.error().message +
                " (`weftscope formats` lists the types, --format ID names one" +
                (opening.may_get_type() ? ", `weftscope trace-type guess` makes one)" : ")"));
  return trace;
}

void FilterOptions::declare(CLI::App& app, std::initializer_list<std::string_view> ids) {
  for (const query::FilterOption& filter : query::filter_options()) {
    if (std::ranges::find(ids, filter.id) == ids.end()) continue;
    auto offered = std::make_unique<Offered>();
    offered->use.id = filter.id;
    std::string help(filter.help);
    help[0] = to_upper(help[0]);
    offered->option = app.add_option("--" + offered->use.id, offered->use.value, help)
                          ->type_name(std::string(filter.parameter));
    offered_.push_back(std::move(offered));
  }
}

void FilterOptions::require(CLI::App& app, std::initializer_list<std::string_view> ids) {
  for (const std::string_view id : ids) app.get_option("--" + std::string(id))->required();
}

void FilterOptions::use(std::string_view id, std::string value) {
  used_.push_back({std::string(id), std::move(value)});
}

Result<query::Selection> FilterOptions::select(const store::Trace& trace) const {
  std::vector<query::FilterUse> used = used_;
  for (const auto& offered : offered_) {
    if (offered->option->count() > 0) used.push_back(offered->use);
  }
  return query::select(trace, used);
}

}  // namespace weft::cli
