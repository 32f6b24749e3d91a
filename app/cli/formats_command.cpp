// weftscope formats: the registered trace types, and all about one of them.
#include "core/formats/formats.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/report.h"
#include "app/cli/table.h"
#include "core/base/text.h"
#include "core/formats/format_json.h"

namespace weft::cli {
namespace {

using formats::Format;
using nlohmann::ordered_json;

std::string_view name_of(formats::Option::Kind kind) {
  return kind == formats::Option::Kind::kNumber ? "number" : "text";
}

std::string yes_or_no(bool is_so) { return is_so ? "yes" : "no"; }

void print_list(Output& output) {
  Table table({{"id"}, {"name"}, {"category"}, {"extensions"}, {"reads"}, {"writes"}});
  for (const formats::FormatPtr& format : formats::formats()) {
    table.add({format->id, format->name, format->category,
               fmt::format("{}", fmt::join(format->extensions, " ")), yes_or_no(format->reads),
               yes_or_no(format->create_writer != nullptr)});
  }
  table.print(output);
}

void print_details(Output& output, const Format& format) {
  Table facts({{""}, {""}});
  facts.add({"Name", format.name});
  facts.add({"Category", format.category});
  facts.add({"Extensions", fmt::format("{}", fmt::join(format.extensions, " "))});
  facts.add({"Reads", yes_or_no(format.reads)});
  facts.add({"Writes", yes_or_no(format.create_writer != nullptr)});
  facts.add({"Opens with", fmt::format("{}", fmt::join(format.panels, " "))});
  if (!format.origin.empty()) facts.add({"Defined by", format.origin.string()});
  facts.print(output);
  if (!format.options.empty()) {
    output.text("\n");
    Table table({{"option"}, {"kind"}, {"default"}, {"about"}});
    for (const formats::Option& option : format.options)
      table.add({option.name, std::string(name_of(option.kind)), option.fallback, option.about});
    table.print(output);
  }
  if (!format.columns.empty()) {
    output.text("\n");
    Table table({{"column of the event table"}, {"parameter"}});
    for (const formats::Column& column : format.columns) table.add({column.title, column.param});
    table.print(output);
  }
  if (!format.pages.empty()) {
    output.text("\n");
    Table table({{"page of statistics"}, {"title"}});
    for (const formats::Page& page : format.pages) table.add({page.id, page.title});
    table.print(output);
  }
}

ordered_json json_list() {
  auto list = ordered_json::array();
  for (const formats::FormatPtr& format : formats::formats())
    list.push_back(formats::json_from_format(*format));
  return {{"formats", std::move(list)}};
}

Result<int> run_formats(const std::string& id, bool is_json) {
  const formats::FormatPtr one = id.empty() ? nullptr : formats::format_from_id(id);
  if (!id.empty() && one == nullptr)
    return usage_error(fmt::format("'{}' is not a trace type (weftscope formats)", printable(id)));
  Output output;
  if (is_json) {
    print_json(output, one ? formats::json_from_format(*one) : json_list());
  } else if (one) {
    print_details(output, *one);
  } else {
    print_list(output);
  }
  WEFT_TRY(output.finish());
  return kSuccess;
}

}  // namespace

Run declare_formats(CLI::App& app) {
  auto id = std::make_shared<std::string>();
  auto is_json = std::make_shared<bool>(false);
  app.add_option("ID", *id, "All about one of them: options, columns, pages of statistics")
      ->type_name("");
  app.add_flag("--json", *is_json, "One JSON object");
  return [id, is_json] { return run_formats(*id, *is_json); };
}

}  // namespace weft::cli
