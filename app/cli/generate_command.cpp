// weftscope generate: writes a synthetic trace.
#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/output.h"
#include "core/formats/embedded/nexus_lite/nexus_lite_generator.h"
#include "core/formats/general/chrome_json/chrome_json_generator.h"
#include "core/formats/messages/btrace/btrace_generator.h"

namespace weft::cli {
namespace {

constexpr uint32_t kLanes = 64;

struct GenerateOptions {
  std::string format;
  std::string output;
  uint64_t events = 100'000;
  std::optional<uint32_t> lanes;
  uint64_t seed = 1;
};

struct Generator {
  std::string_view format;
  Status (*write)(const GenerateOptions& options);
};

constexpr Generator kGenerators[] = {
    {"btrace",
     [](const GenerateOptions& o) {
       return formats::write_btrace(o.output,
                                    {o.events, std::max(2u, o.lanes.value_or(kLanes)), o.seed});
     }},
    {"chrome-json",
     [](const GenerateOptions& o) {
       trace::Workload::Options workload;
       workload.states = o.events;
       workload.lanes = o.lanes.value_or(kLanes);
       workload.seed = o.seed;
       return formats::write_chrome_json(o.output, workload);
     }},
    {"nexus-lite",
     [](const GenerateOptions& o) {
       return formats::write_nexus_lite(o.output, o.events, o.seed);
     }},
};

Result<int> run_generate(const GenerateOptions& options) {
  if (options.lanes && options.format == "nexus-lite")
    return usage_error("--lanes: Nexus-lite has lanes of its own");
  const auto generator =
      std::ranges::find(kGenerators, std::string_view(options.format), &Generator::format);
  WEFT_TRY_ASSIGN(const MadeFile file, MadeFile::of(options.output, "trace"));
  GenerateOptions there = options;
  there.output = file.path();
  WEFT_TRY(generator->write(there));
  WEFT_TRY(file.finish());
  return kSuccess;
}

}  // namespace

Run declare_generate(CLI::App& app) {
  auto options = std::make_shared<GenerateOptions>();
  std::set<std::string> ids;
  for (const Generator& generator : kGenerators) ids.emplace(generator.format);
  app.add_option("FORMAT", options->format, "btrace, chrome-json or nexus-lite")
      ->required()
      ->check(CLI::IsMember(ids));
  app.add_option("-o,--output", options->output, "The file to write; - prints it")
      ->required()
      ->check(file_name())
      ->type_name("OUT");
  app.add_option("--events", options->events,
                 "How many events (default 100000); states in Chrome JSON, messages in Btrace")
      ->check(CLI::Range(uint64_t{1}, uint64_t{1} << 40))
      ->type_name("N");
  app.add_option("--lanes", options->lanes, "On how many lanes (default 64); not Nexus-lite")
      ->check(CLI::Range(1u, 1'000'000u))
      ->type_name("N");
  app.add_option("--seed", options->seed, "The same seed gives the same trace (default 1)")
      ->check(whole_number())
      ->type_name("N");
  return [options] { return run_generate(*options); };
}

}  // namespace weft::cli
