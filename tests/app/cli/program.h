// Runs the built weftscope in a folder of the test's own, without a display and with a cache of its
// own, and says what it printed.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/core/io/scratch_folder.h"

namespace weft::cli {

struct Outcome {
  int exit_code = -1;  // -signal where it was killed
  std::string out;
  std::string err;

  nlohmann::json json() const { return nlohmann::json::parse(out); }
  std::vector<nlohmann::json> json_lines() const {
    std::vector<nlohmann::json> lines;
    std::istringstream in(out);
    for (std::string line; std::getline(in, line);) lines.push_back(nlohmann::json::parse(line));
    return lines;
  }
};

// A process, two threads, a state within a state, a message, an instant and a sample.
inline constexpr std::string_view kSmallTrace = R"({"traceEvents":[
  {"ph":"M","name":"process_name","pid":1,"args":{"name":"app"}},
  {"ph":"M","name":"thread_name","pid":1,"tid":7,"args":{"name":"main"}},
  {"ph":"M","name":"thread_name","pid":1,"tid":8,"args":{"name":"io"}},
  {"ph":"X","name":"outer","cat":"c","pid":1,"tid":7,"ts":10,"dur":100,"args":{"n":
    1}},
  {"ph":"X","name":"inner","pid":1,"tid":7,"ts":20,"dur":30},
  {"ph":"i","name":"tick","pid":1,"tid":8,"ts":50,"s":"t"},
  {"ph":"C","name":"load","pid":1,"ts":60,"args":{"value":2.5}},
  {"ph":"s","name":"msg","cat":"m","id":1,"pid":1,"tid":7,"ts":30},
  {"ph":"f","name":"msg","cat":"m","id":1,"pid":1,"tid":8,"ts":70,"bp":"e"}]})";

class ProgramTest : public testing::Test {
 protected:
  ProgramTest() { small_ = folder_.write("small.json", kSmallTrace); }

  Outcome run(std::vector<std::string> arguments, const std::string& input = "/dev/null") const {
    return end_of(start(std::move(arguments), input));
  }
  // One at a time.
  pid_t start(std::vector<std::string> arguments, const std::string& input = "/dev/null") const {
    const pid_t child = ::fork();
    if (child == 0) exec(arguments, input, folder_ / ".out", folder_ / ".err");
    return child;
  }
  Outcome end_of(pid_t child) const {
    int status = 0;
    ::waitpid(child, &status, 0);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return {code, test::content_of(folder_ / ".out"), test::content_of(folder_ / ".err")};
  }

  test::ScratchFolder folder_;
  std::string small_;  // a file that holds kSmallTrace

 private:
  [[noreturn]] void exec(std::vector<std::string>& arguments, const std::string& input,
                         const std::string& out, const std::string& err) const {
    ::setsid();  // without the terminal of whoever runs the tests: nobody is asked
    ::dup2(::open(input.c_str(), O_RDONLY), 0);
    ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
    ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
    ::setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
    ::setenv("XDG_CONFIG_HOME", (folder_ / "config").c_str(), 1);
    ::setenv("XDG_DATA_HOME", (folder_ / "data").c_str(), 1);
    ::setenv("TMPDIR", folder_.path().c_str(), 1);
    ::unsetenv("DISPLAY");
    ::unsetenv("WAYLAND_DISPLAY");
    std::vector<char*> argv = {const_cast<char*>(WEFT_PROGRAM)};
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    ::execv(WEFT_PROGRAM, argv.data());
    ::_exit(127);
  }
};

}  // namespace weft::cli
