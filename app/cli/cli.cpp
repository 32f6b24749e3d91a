#include "app/cli/cli.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <new>
#include <system_error>

#include "app/cli/output.h"
#include "app/cli/version.h"
#include "app/cli/window.h"
#include "app/opening/plugins.h"
#include "core/base/os_error.h"
#include "core/formats/user_formats.h"
#include "core/io/paths.h"

namespace weft::cli {
namespace {

constexpr std::string_view kExitCodes =
    "Exit status: 0 success; 1 failure; 2 usage; 3 opened, but the data is damaged or incomplete.";

int run_parser(Parser& parser, int argc, char** argv) {
  try {
    parser.app->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help, --version
      parser.app->exit(error);
      if (std::cout.flush()) return kSuccess;
      complain(os_error("standard output").message);
      return kFailure;
    }
    const auto used = parser.app->get_subcommands();
    const std::string name = used.empty() ? "" : " " + used.front()->get_name();
    return usage_error(fmt::format("{} (see weftscope{} --help)", error.what(), name));
  }
  if (!parser.app->get_subcommands().empty() && parser.app->get_option("FILE")->count() > 0) {
    return usage_error("files come after the command (see weftscope --help)");
  }
  // The window lists them, and its frames wait for nothing. It reads definitions with the user's
  // other files, and tells there.
  const bool has_window = parser.app->get_subcommands().empty();
  if (has_window) {
    app::add_plugins();
  } else {
    formats::add_formats_later(app::add_plugins);
    for (const Error& error :
         formats::add_formats_in(formats::user_format_folder(io::config_folder())))
      complain(error.message);
  }
  const auto say_complaints = [&] {
    if (has_window) return;
    for (const std::string& line : app::take_plugin_complaints()) complain(line);
  };
  say_complaints();
  const Result<int> code = (*parser.chosen)();
  say_complaints();
  if (code) return *code;
  complain(code.error().message);
  return kFailure;
}

// Whoever closed a standard stream must not find what is written to it in another file: one that
// can be neither read nor written takes its place.
void hold_standard_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) < 0 && errno == EBADF)
      (void)::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace

int usage_error(std::string_view message) {
  complain(message);
  return kUsage;
}

Parser make_parser() {
  Parser parser{std::make_unique<CLI::App>(
                    "A viewer for traces of concurrent and embedded systems.", "weftscope"),
                std::make_shared<Run>()};
  CLI::App& app = *parser.app;
  app.set_version_flag("-V,--version", version_text(),
                       "Print the version, with those of libraries, and exit");
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.require_subcommand(0, 1);
  app.footer(std::string(kExitCodes));
  *parser.chosen = declare_window(app);
  for (const Command& command : commands()) {
    CLI::App* sub = app.add_subcommand(std::string(command.name), std::string(command.summary));
    sub->callback([chosen = parser.chosen, run = command.declare(*sub)] { *chosen = run; });
  }
  return parser;
}

int run(int argc, char** argv) {
  hold_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error to report, not to die of
  try {
    Parser parser = make_parser();
    return run_parser(parser, argc, argv);
  } catch (const std::bad_alloc&) {
    complain("out of memory");
    return kFailure;
  } catch (const std::filesystem::filesystem_error& error) {
    complain(fmt::format("{}: {}", error.path1().string(), error.code().message()));
    return kFailure;
  } catch (const std::system_error& error) {
    complain(fmt::format("no thread could be started: {}", error.code().message()));
    return kFailure;
  }
}

}  // namespace weft::cli
