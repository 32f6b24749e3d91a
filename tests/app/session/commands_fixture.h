// A session with a small trace that is open, for tests of commands.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "app/session/commands.h"
#include "tests/app/sample_trace.h"

namespace weft::app {

class Commands : public ::testing::Test {
 protected:
  Commands() { open_sample(); }
  void open_sample() {
    const auto path = testing::write_sample(folder_.path());
    session_.traces.push_back(std::make_unique<OpenTrace>(path, testing::opened(path)));
  }
  Status run(const std::string& name, Json args = Json::object(), uint32_t gesture = 0) {
    return apply_command(session_, {name, std::move(args), gesture});
  }
  const View& view() const { return session_.trace()->view(); }

  test::ScratchFolder folder_;
  Session session_;
};

}  // namespace weft::app
