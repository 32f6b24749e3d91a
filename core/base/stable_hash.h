// A hash of bytes that is the same in every build, so it may name files and colours.
#pragma once

#include <cstdint>
#include <string_view>

namespace weft {

// FNV-1a. `hash` is where it begins: another beginning gives another hash.
constexpr uint64_t stable_hash(std::string_view bytes, uint64_t hash = 0xcbf29ce484222325) {
  for (const char c : bytes) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  return hash;
}

// The published values.
static_assert(stable_hash("") == 0xcbf29ce484222325);
static_assert(stable_hash("a") == 0xaf63dc4c8601ec8c);
static_assert(stable_hash("foobar") == 0x85944171f73967e8);

}  // namespace weft
