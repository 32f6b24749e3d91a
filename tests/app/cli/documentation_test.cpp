// The man page and docs/cli.md know every command and every option, and no command that is not.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>

#include "app/cli/cli.h"
#include "app/window/run.h"
#include "core/formats/formats.h"
#include "core/query/metrics/metrics.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::cli {
namespace {

std::string man_page() {
  return std::regex_replace(test::content_of(WEFT_SOURCE_DIR "/docs/weftscope.1"),
                            std::regex(R"(\\f[BIR]|\\)"), "");
}

// "## weftscope stats …" up to the next heading, and all that stands before the commands.
std::string section_of(const std::string& page, const std::string& command) {
  const size_t begin = page.find("### weftscope " + command);
  if (begin == std::string::npos) return {};
  const std::string common = page.substr(0, page.find("## Commands"));
  return common + page.substr(begin, page.find("\n### ", begin) - begin);
}

TEST(Documentation, KnowsEveryCommandAndOption) {
  const std::string page = test::content_of(WEFT_SOURCE_DIR "/docs/cli.md");
  const std::string man = man_page();
  const Parser parser = make_parser();
  std::vector<const CLI::App*> apps = {parser.app.get()};
  for (const CLI::App* app : parser.app->get_subcommands({})) apps.push_back(app);
  for (const CLI::App* app : apps) {
    const bool is_command = app != parser.app.get();
    const std::string name = is_command ? app->get_name() : "[FILE";
    const std::string section = section_of(page, name);
    EXPECT_NE(section, "") << "docs/cli.md has no section of " << name;
    if (is_command) {
      EXPECT_NE(man.find("\n" + name + " "), std::string::npos)
          << "no " << name << " in the man page";
    }
    std::vector<const CLI::Option*> options = app->get_options();
    for (const CLI::App* sub :
         is_command ? app->get_subcommands({}) : std::vector<const CLI::App*>())
      std::ranges::copy(sub->get_options(), std::back_inserter(options));
    for (const CLI::Option* option : options) {
      for (const std::string& spelling : option->get_lnames()) {
        const bool is_help = is_command && spelling == "help";
        EXPECT_TRUE(is_help || section.find("--" + spelling) != std::string::npos)
            << "docs/cli.md: " << name << " --" << spelling;
        EXPECT_NE(man.find("--" + spelling), std::string::npos)
            << "man page: " << name << " --" << spelling;
      }
      for (const std::string& spelling : option->get_snames()) {
        EXPECT_NE(man.find("-" + spelling), std::string::npos)
            << "man page: " << name << " -" << spelling;
      }
    }
  }
}

TEST(Documentation, NamesNoCommandAndNoOptionThatIsNot) {
  const Parser parser = make_parser();
  std::set<std::string> known;
  for (const CLI::Option* option : parser.app->get_options()) {
    for (const std::string& name : option->get_lnames()) known.insert(name);
  }
  for (const CLI::App* app : parser.app->get_subcommands({})) {
    for (const CLI::Option* option : app->get_options()) {
      for (const std::string& name : option->get_lnames()) known.insert(name);
    }
  }
  const std::string text = test::content_of(WEFT_SOURCE_DIR "/docs/cli.md") + man_page();
  static const std::regex option(R"([^-\w]--([a-z][a-z-]*))");
  for (std::sregex_iterator it(text.begin(), text.end(), option), end; it != end; ++it) {
    EXPECT_TRUE(known.contains((*it)[1])) << "--" << (*it)[1];
  }
  static const std::regex heading(R"(\n### weftscope ([a-z-]+))");
  for (std::sregex_iterator it(text.begin(), text.end(), heading), end; it != end; ++it) {
    EXPECT_TRUE(std::ranges::count(commands(), std::string_view((*it)[1].str()), &Command::name) ==
                1)
        << (*it)[1];
  }
}

TEST(Documentation, KnowsEveryMetric) {
  const std::string page = test::content_of(WEFT_SOURCE_DIR "/docs/cli.md");
  for (const query::Metric& metric : query::metrics()) {
    EXPECT_NE(page.find("| `" + std::string(metric.id) + "` |"), std::string::npos) << metric.id;
  }
}

// So that a picture of a panel can be asked for without having seen the window.
TEST(Documentation, KnowsEveryPanel) {
  const std::string section =
      section_of(test::content_of(WEFT_SOURCE_DIR "/docs/cli.md"), "snapshot");
  const std::string man = man_page();
  for (const std::string& panel : app::picture_panels()) {
    EXPECT_NE(section.find("`" + panel + "`"), std::string::npos) << panel;
    EXPECT_NE(man.find(panel), std::string::npos) << panel;
  }
}

// The code of docs/new-trace-type.md is what plugin_test.cpp builds and runs.
TEST(Documentation, ShowsTheExampleOfATraceTypeAsItIsBuilt) {
  const std::string page = test::content_of(WEFT_SOURCE_DIR "/docs/new-trace-type.md");
  for (const auto& [language, file] :
       {std::pair("cpp", "steps_reader.cpp"), std::pair("c", "steps_plugin.c")}) {
    const std::string code =
        test::content_of(std::string(WEFT_SOURCE_DIR "/docs/examples/") + file);
    const std::string fence = "\n```" + std::string(language) + "\n";
    const size_t begin = page.find(fence);
    ASSERT_NE(begin, std::string::npos) << language;
    EXPECT_EQ(page.substr(begin + fence.size(), code.size() + 4), code + "```\n") << file;
  }
}

}  // namespace
}  // namespace weft::cli
