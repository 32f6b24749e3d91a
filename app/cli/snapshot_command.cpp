// weftscope snapshot: draws a panel of one or several traces to a PNG or an SVG, without a display.
#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/output.h"
#include "app/cli/picture.h"
#include "app/cli/report.h"
#include "app/session/session.h"

namespace weft::cli {
namespace {

struct SnapshotOptions {
  Picture picture;
  std::string output;
};

Result<int> run_snapshot_command(const SnapshotOptions& options) {
  if (const auto is_vector = app::is_vector_picture(options.output); !is_vector)
    return usage_error(is_vector.error().message);
  WEFT_TRY(check_apart(options.output, {&options.picture.input.file, 1}));
  WEFT_TRY(check_apart(options.output, options.picture.also));
  WEFT_TRY_ASSIGN(const MadeFile file, MadeFile::of(options.output, "picture.png"));
  WEFT_TRY_ASSIGN(const int code, options.picture.check_input());
  if (code == kUsage) return kUsage;
  app::PictureOptions picture = options.picture.options();
  picture.output = file.path();
  WEFT_TRY_ASSIGN(const app::SnapshotReport report, app::run_snapshot(picture));
  WEFT_TRY(file.finish());
  if (!report.note.empty()) complain(report.note);
  return exit_code_of(report.damage);
}

}  // namespace

Run declare_snapshot(CLI::App& app) {
  auto options = std::make_shared<SnapshotOptions>();
  options->picture.declare_several(app);
  app.add_option("-o,--output", options->output,
                 "The picture to write: a PNG, or shapes and text where it ends in .svg. - prints "
                 "a PNG")
      ->required()
      ->check(file_name())
      ->type_name("OUT.png|OUT.svg");
  return [options] { return run_snapshot_command(*options); };
}

}  // namespace weft::cli
