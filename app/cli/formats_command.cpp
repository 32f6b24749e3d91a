// weftscope formats: the registered trace types.
#include "core/formats/formats.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/report.h"
#include "app/cli/table.h"

namespace weft::cli {
namespace {

std::string formats_json() {
  auto list = nlohmann::ordered_json::array();
  for (const formats::FormatPtr& format : formats::formats()) {
    list.push_back({{"id", format->id},
                    {"name", format->name},
                    {"category", format->category},
                    {"extensions", format->extensions},
                    {"reads", format->reads},
                    {"writes", format->create_writer != nullptr}});
  }
  return to_text({{"formats", std::move(list)}});
}

void print_formats(Output& output) {
  Table table({{"id"}, {"name"}, {"category"}, {"extensions"}, {"reads"}, {"writes"}});
  for (const formats::FormatPtr& format : formats::formats()) {
    table.add({format->id, format->name, format->category,
               fmt::format("{}", fmt::join(format->extensions, " ")), format->reads ? "yes" : "no",
               format->create_writer != nullptr ? "yes" : "no"});
  }
  table.print(output);
}

Result<int> run_formats(bool is_json) {
  Output output;
  if (is_json) {
    output.print("{}\n", formats_json());
  } else {
    print_formats(output);
  }
  WEFT_TRY(output.finish());
  return kSuccess;
}

}  // namespace

Run declare_formats(CLI::App& app) {
  auto is_json = std::make_shared<bool>(false);
  app.add_flag("--json", *is_json, "One JSON object");
  return [is_json] { return run_formats(*is_json); };
}

}  // namespace weft::cli
