// Handles Ctrl+C while input without an end is being read.
#pragma once

#include <csignal>
#include <initializer_list>
#include <utility>
#include <vector>

namespace weft::cli {

// While it exists, the first of these signals only requests a stop (has_come()); the second one
// ends the program as usual. Only one at a time.
class StopSignal {
 public:
  explicit StopSignal(std::initializer_list<int> signals);
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  bool has_come() const;
  // Ends the program by the signal, as without this handler.
  void pass_on() const;

 private:
  std::vector<std::pair<int, struct sigaction>> previous_;
};

}  // namespace weft::cli
