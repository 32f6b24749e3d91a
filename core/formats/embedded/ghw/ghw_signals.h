// The signals of a GHW waveform: what is declared consists of scalars, whose values the file
// changes one by one; a vector of bits is one variable made of many.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/embedded/ghw/ghw_input.h"
#include "core/formats/embedded/ghw/ghw_types.h"
#include "core/formats/embedded/vcd/vcd_signals.h"

namespace weft::formats::ghw {

class Signals {
 public:
  explicit Signals(trace::EventSink& sink) : shown_(sink) {}

  // Reads the hierarchy section, after its mark.
  Status declare_all(Input& input, const Names& names, const std::vector<TypeRef>& types);

  // Scalars are numbered in order of declaration.
  size_t count() const { return scalars_.size(); }
  // Reads a value of the i-th scalar.
  void change(size_t i, Input& input);
  // Gives what changed since the last call.
  void show(Time time, uint64_t offset);
  void finish(Time end) { shown_.finish(end); }

 private:
  struct Variable {
    const Type* type;  // of one scalar, or a text of them
    uint32_t first, count;
    bool has_changed = false;
  };

  Result<TypeRef> take_type(Input& input, const std::vector<TypeRef>& types) const;
  Status declare(Input& input, std::string name, const TypeRef& type);
  Status declare_elements(Input& input, const std::string& name, const Type& type);
  void add_variable(Input& input, std::string name, const TypeRef& type, uint64_t count);
  std::string value_text(Input& input, const Type& type) const;
  void link();
  void show(const Variable& variable, const std::string& code, Time time, uint64_t offset);

  vcd::Signals shown_;
  std::vector<TypeRef> kept_types_;
  std::vector<Variable> variables_;
  std::vector<std::string> codes_;     // of variables
  std::vector<uint32_t> parts_;        // of variables: scalars, first by their number in the file
  std::vector<const Type*> scalars_;   // their types
  std::vector<int64_t> values_;        // of scalars; of reals the bits
  std::vector<uint32_t> users_begin_;  // of scalars, and one more
  std::vector<uint32_t> users_;        // variables
  std::vector<uint32_t> changed_;      // variables
};

}  // namespace weft::formats::ghw
