// Terms in Erlang's external format, as the files of trace ports hold them, written as
// io:format("~w") prints them: the reader of traces as text reads both.
//
// Source: the chapter "External Term Format" of the manual of ERTS 15.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weft::formats::erlang {

// The version byte that precedes a term's tag.
constexpr char kExternalTerm = '\x83';

class ExternalTerms {
 public:
  // The whole of `bytes`, version and all; nothing of it is left where it is none. Valid until the
  // next call; empty where it is damaged, nested too deep or longer than `kMostBytes` as text.
  std::string_view text_of(std::string_view bytes);

  static constexpr size_t kMostBytes = size_t{1} << 20;

 private:
  bool add(std::string_view& bytes, int depth);
  bool add_float(std::string_view& bytes, bool is_text);
  bool add_atom(std::string_view& bytes);
  bool add_identifier(std::string_view& bytes, char tag);
  bool add_reference(std::string_view& bytes, char tag);
  bool add_items(std::string_view& bytes, uint32_t count, int depth);
  bool add_tuple(std::string_view& bytes, uint32_t count, int depth);
  bool add_list(std::string_view& bytes, int depth);
  bool add_map(std::string_view& bytes, int depth);
  bool add_text(std::string_view& bytes);
  bool add_binary(std::string_view& bytes, bool has_bits);
  bool add_big(std::string_view& bytes, bool has_long_length);
  bool add_function(std::string_view& bytes, char tag, int depth);
  // The node's name is left out where it is that of the first: that which was traced.
  bool take_node(std::string_view& bytes, std::string& node);

  std::string text_;
  std::string own_node_;
};

}  // namespace weft::formats::erlang
