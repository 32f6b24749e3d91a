// Ctrl+C while something without an end is read.
#pragma once

#include <csignal>
#include <initializer_list>
#include <utility>
#include <vector>

namespace weft::cli {

// While it lives, the first of these signals is a wish to stop; the second one ends the program, as
// ever. One at a time.
class StopSignal {
 public:
  explicit StopSignal(std::initializer_list<int> signals);
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  bool has_come() const;
  // Ends the program as it would have without this.
  void pass_on() const;

 private:
  std::vector<std::pair<int, struct sigaction>> previous_;
};

}  // namespace weft::cli
