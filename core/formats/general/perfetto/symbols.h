// Symbols that tools append to a trace: functions at the addresses of a binary (module_symbols),
// and the source names of obfuscated Java classes and methods (deobfuscation_mapping), whose lines
// say what was inlined.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/formats/general/perfetto/call_stacks.h"
#include "core/formats/general/perfetto/fields.h"

namespace weft::formats::perfetto {

class Symbols {
 public:
  explicit Symbols(uint64_t memory_bytes) : most_bytes_(memory_bytes) {}

  // `data`: the contents of a packet.
  static bool is_of(const Field& data);
  // Returns false if it is damaged or beyond the memory.
  bool add(const Field& data);

  bool is_empty() const { return bytes_ == 0; }

  struct Function {
    std::string name;
    std::string file;   // of the source; empty: nobody says
    uint64_t line = 0;  // in it; 0: nobody says
  };
  // What a frame is of, the outermost first: several where functions were inlined.
  std::vector<Function> functions_of(const StackFrame& frame) const;
  // The source name of a class of a program that lies at `path`, also where it is within
  // "java.lang.Class<…>" or an array of them.
  std::string name_of_class(std::string_view name, std::string_view path) const;

 private:
  // One that was inlined has a part of the lines of the method that it is in, as that does itself.
  struct Method {
    std::string name;
    uint64_t first_line = 0, last_line = 0;  // of the obfuscated code; 0: of any
    uint64_t source_line = 0;                // of the first; 0: not said
    uint64_t last_source_line = 0;
  };
  struct Class {
    std::string name;
    std::map<std::string, std::vector<Method>, std::less<>> methods;  // the innermost first
  };
  using Package = std::map<std::string, Class, std::less<>>;
  bool add_module(std::string_view message);
  bool add_package(std::string_view message);
  bool add_class(std::string_view message, Package& package);
  bool keep(size_t bytes);
  // Calls each(const Class&) for those of this name that may lie there, until one says true.
  template <class Each>
  void for_each_class(std::string_view name, std::string_view path, const Each& each) const;
  static bool take_method(std::string_view message, std::string& obfuscated, Method& method);
  // Adds what a function of Java is in its source, the outermost first.
  void add_in_source(Function function, std::string_view path, std::vector<Function>& out) const;

  const uint64_t most_bytes_;
  uint64_t bytes_ = 0;
  // Innermost first, by build id and address.
  std::map<std::pair<std::string, uint64_t>, std::vector<Function>> functions_;
  std::map<std::string, Package> packages_;
};

}  // namespace weft::formats::perfetto
