// Steps that readers share, over text, over binary records and over addresses.
#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>

#include "core/formats/base/binary.h"
#include "core/formats/base/text.h"
#include "core/formats/stacks/address_map.h"

namespace weft::formats {
namespace {

TEST(TakeText, APrefixIsTakenOffWhereTheTextBeginsSo) {
  std::string_view text = "-> 5";
  EXPECT_FALSE(take_prefix(text, "=> "));
  EXPECT_EQ(text, "-> 5");
  EXPECT_TRUE(take_prefix(text, "-> "));
  EXPECT_EQ(text, "5");
}

TEST(TakeText, NumbersAreTakenInTheirBaseAndAsFarAsTheyFit) {
  std::string_view text = "ff,377";
  EXPECT_EQ(take_number<uint8_t>(text, 16), 0xFF);
  EXPECT_EQ(text, ",377");
  EXPECT_EQ(parse_number<uint8_t>("377", 8), 0xFF);
  EXPECT_FALSE(parse_number<uint8_t>("400", 8));
  EXPECT_FALSE(parse_number<int>("5,"));
  EXPECT_FALSE(parse_number<double>("inf"));
}

TEST(TakeText, AnAddressStandsBehind0x) {
  std::string_view text = "0x1f main";
  EXPECT_EQ(take_address(text), 0x1F);
  EXPECT_EQ(text, " main");
  text = "1f";
  EXPECT_FALSE(take_address(text));
  EXPECT_EQ(text, "1f");
}

TEST(BinaryFields, ValuesLieOneBehindTheOther) {
  BinaryFields fields({"\x01\x02\x03\x04\xAC\x02name", 10});
  EXPECT_EQ(fields.little<uint16_t>(), 0x0201);
  EXPECT_EQ(fields.big<uint16_t>(), 0x0304);
  EXPECT_EQ(fields.varint(), 300U);
  EXPECT_EQ(fields.at(), 6U);
  EXPECT_EQ(fields.bytes(4), "name");
  EXPECT_FALSE(fields.has_failed());
}

TEST(BinaryFields, NothingIsTakenBehindWhatDoesNotFit) {
  BinaryFields fields("\x01\x02\x03");
  EXPECT_EQ(fields.little<uint32_t>(), 0U);
  EXPECT_EQ(fields.little<uint8_t>(), 0U);
  EXPECT_EQ(fields.rest(), "");
  EXPECT_TRUE(fields.has_failed());
}

std::string_view name_at(const stacks::AddressMap& map, uint64_t address) {
  const stacks::AddressMap::Object* const object = map.find(address);
  return object == nullptr ? std::string_view("nothing") : object->name;
}

TEST(AddressMap, WhatComesLaterTakesThePlaceOfWhatLayThere) {
  stacks::AddressMap map;
  map.add(10, 50, "library");
  map.add(20, 30, "program");
  EXPECT_EQ(map.parts(), 3U);
  EXPECT_EQ(name_at(map, 9), "nothing");
  EXPECT_EQ(name_at(map, 10), "library");
  EXPECT_EQ(name_at(map, 19), "library");
  EXPECT_EQ(name_at(map, 20), "program");
  EXPECT_EQ(name_at(map, 29), "program");
  EXPECT_EQ(name_at(map, 30), "library");
  EXPECT_EQ(map.find(30)->begin, 10U);
  EXPECT_EQ(name_at(map, 50), "nothing");
  map.add(25, 60, "other");
  EXPECT_EQ(map.parts(), 3U);
  EXPECT_EQ(name_at(map, 24), "program");
  EXPECT_EQ(name_at(map, 25), "other");
  EXPECT_EQ(name_at(map, 59), "other");
  map.add(0, UINT64_MAX, "all");
  map.add(7, 7, "none");
  EXPECT_EQ(map.parts(), 1U);
  EXPECT_EQ(name_at(map, 30), "all");
}

}  // namespace
}  // namespace weft::formats
