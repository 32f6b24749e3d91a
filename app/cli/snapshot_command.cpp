// weftscope snapshot: draws a panel of one or several traces to a PNG or an SVG, without a display.
#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/picture.h"

namespace weft::cli {
namespace {

struct SnapshotOptions {
  Picture picture;
  std::string output;
};

Result<int> run_snapshot_command(const SnapshotOptions& options) {
  WEFT_TRY_ASSIGN(const int code, options.picture.check_input());
  if (code == kUsage) return kUsage;
  app::PictureOptions picture = options.picture.options();
  picture.output = options.output;
  WEFT_TRY(app::run_snapshot(picture));
  return code;
}

}  // namespace

Run declare_snapshot(CLI::App& app) {
  auto options = std::make_shared<SnapshotOptions>();
  options->picture.declare_several(app);
  app.add_option("-o,--output", options->output,
                 "The picture to write: a PNG, or shapes and text where it ends in .svg")
      ->required()
      ->type_name("OUT.png|OUT.svg");
  return [options] { return run_snapshot_command(*options); };
}

}  // namespace weft::cli
