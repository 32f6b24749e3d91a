// weftscope export: a part of a trace as a trace of its own.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/report.h"
#include "core/base/text.h"
#include "core/formats/formats.h"
#include "core/io/temporary_file.h"
#include "core/query/extract.h"
#include "core/store/builder.h"

namespace weft::cli {
namespace {

struct ExportOptions {
  Input input;
  FilterOptions filters;
  std::vector<std::string> to;  // a format, or a time: the contract has one option for both
  std::string output;
};

constexpr std::string_view kStore = "weft";

bool is_format(std::string_view id) {
  const formats::FormatPtr format = formats::format_from_id(id);
  return id == kStore || (format != nullptr && format->create_writer != nullptr);
}

// The last format named.
std::string_view format_of(const ExportOptions& options) {
  const auto it = std::ranges::find_if(options.to.rbegin(), options.to.rend(), is_format);
  return it == options.to.rend() ? kStore : std::string_view(*it);
}

struct Written {
  uint64_t events = 0, bytes = 0;
  uint64_t left_out = 0;  // events that the format has no words for
};

Result<Written> write_store(const TracePtr& trace, const query::Selection& selection,
                            const std::filesystem::path& path, uint64_t memory_bytes,
                            ThreadPool& pool) {
  WEFT_TRY_ASSIGN(
      const auto builder,
      store::StoreBuilder::create(
          {.path = path, .format = trace->dictionary().format, .memory_bytes = memory_bytes},
          pool));
  query::extract(trace, selection, *builder);
  WEFT_TRY_ASSIGN(const auto part, builder->finish());
  return Written{part->counts().total(), part->size_bytes(), 0};
}

Result<Written> write_foreign(const TracePtr& trace, const query::Selection& selection,
                              const formats::Format& format, const std::filesystem::path& path) {
  WEFT_TRY_ASSIGN(const auto writer, format.create_writer(path));
  const uint64_t events = query::extract(trace, selection, *writer);
  WEFT_TRY(writer->finish());
  std::error_code error;
  return Written{events, std::filesystem::file_size(path, error), writer->left_out()};
}

Result<int> run_export(const ExportOptions& options) {
  ThreadPool pool;
  WEFT_TRY_ASSIGN(const TracePtr trace, options.input.open(pool));
  const auto selection = options.filters.select(*trace);
  if (!selection) return usage_error(selection.error().message);
  const std::string_view format = format_of(options);
  const auto write = [&](const std::filesystem::path& path) {
    return format == kStore
               ? write_store(trace, *selection, path, options.input.memory_bytes, pool)
               : write_foreign(trace, *selection, *formats::format_from_id(format), path);
  };
  const bool is_printed = options.output == "-";
  Written written;
  if (is_printed) {
    // Whole, or nothing of it.
    WEFT_TRY_ASSIGN(const io::TemporaryFolder folder, io::TemporaryFolder::create());
    WEFT_TRY_ASSIGN(written, write(folder.path() / "part"));
    WEFT_TRY(print_file(folder.path() / "part"));
  } else {
    WEFT_TRY_ASSIGN(written, write(options.output));
  }
  Output output(is_printed ? STDERR_FILENO : STDOUT_FILENO);
  output.print("{} of {} events, {}\n", format_count(written.events),
               format_count(trace->counts().total()), format_bytes(written.bytes));
  if (written.left_out > 0)
    output.print("{} of them have no place in {}\n", format_count(written.left_out), format);
  return finish(output, *trace, options.input.shown_file());
}

}  // namespace

Run declare_export(CLI::App& app) {
  auto options = std::make_shared<ExportOptions>();
  options->input.declare(app, "--input-format");
  app.add_option("-o,--output", options->output,
                 "The file to make; replaced when it is complete. - prints it, and what is said of "
                 "it to standard error")
      ->required()
      ->type_name("OUT");
  app.add_option("--to", options->to,
                 "The format to write: weft (the default) or one that `weftscope formats` says is "
                 "written. A time (--to 40%, as elsewhere): only what "
                 "lies before it; may be given beside a format")
      ->type_name("ID|T")
      ->expected(1)
      ->take_all();
  options->filters.declare(app, {"category", "lane", "type", "from", "where"});
  return [options] {
    for (const std::string& to : options->to) {
      if (!is_format(to)) options->filters.use("to", to);
    }
    return run_export(*options);
  };
}

}  // namespace weft::cli
