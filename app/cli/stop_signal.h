// Ctrl+C while something without an end is read.
#pragma once

namespace weft::cli {

// While it lives, the first SIGINT or SIGTERM is a wish to stop; the second ends the program, as
// ever. One at a time.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  bool has_come() const;
  // Ends the program as it would have without this.
  void pass_on() const;
};

}  // namespace weft::cli
