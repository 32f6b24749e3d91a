// weftscope verify: checks every checksum and invariant of a .weft.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/report.h"
#include "core/base/text.h"
#include "core/store/trace.h"

namespace weft::cli {
namespace {

struct VerifyOptions {
  std::string file;
  bool is_json = false;
};

Result<int> run_verify(const VerifyOptions& options) {
  if (options.file == "-") return fail("verify checks a file: standard input cannot be mapped");
  WEFT_TRY_ASSIGN(const auto trace, store::Trace::open(options.file));
  const Status verified = trace->verify();
  const std::string error = verified ? "" : verified.error().message;
  Output output;
  if (options.is_json) {
    nlohmann::ordered_json json{{"is_sound", verified.has_value()},
                                {"bytes", trace->size_bytes()},
                                {"events", trace->counts().total()}};
    if (!verified) json["error"] = error;
    print_json(output, json);
  } else if (verified) {
    output.print("{}: sound, {} events in {}\n", printable(options.file, 0),
                 format_count(trace->counts().total()), format_bytes(trace->size_bytes()));
  }
  WEFT_TRY(output.finish());
  if (verified) return kSuccess;
  complain(fmt::format("{}: {}", options.file, error));
  return kDamaged;
}

}  // namespace

Run declare_verify(CLI::App& app) {
  auto options = std::make_shared<VerifyOptions>();
  app.add_option("FILE", options->file, "The .weft")->required();
  app.add_flag("--json", options->is_json, "One JSON object");
  return [options] { return run_verify(*options); };
}

}  // namespace weft::cli
