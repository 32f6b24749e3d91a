// Local time of some place.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace weft::app::testing {

// While it lives, clocks are set as `zone` says.
class InZone {
 public:
  explicit InZone(const char* zone) {
    if (const char* const now = std::getenv("TZ")) before_ = now;
    setenv("TZ", zone, 1);
    tzset();
  }
  ~InZone() {
    before_ ? setenv("TZ", before_->c_str(), 1) : unsetenv("TZ");
    tzset();
  }
  InZone(const InZone&) = delete;
  InZone& operator=(const InZone&) = delete;

 private:
  std::optional<std::string> before_;
};

}  // namespace weft::app::testing
