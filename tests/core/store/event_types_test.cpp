#include "core/trace/event_types.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace weft::trace {
namespace {

// Several blocks, the last of them only begun.
constexpr size_t kSome = 200;

std::string name_at(size_t at) { return "type " + std::to_string(at); }

void grow(EventTypes& types, size_t to) {
  while (types.size() < to) {
    types.push_back({.name = name_at(types.size()),
                     .group = types.size() % 3 == 0 ? "" : "group",
                     .category = Category::kPunctual});
  }
}

void expect_named(const EventTypes& types, size_t count) {
  ASSERT_EQ(types.size(), count);
  size_t at = 0;
  for (const EventType& type : types) {
    EXPECT_EQ(type.name, name_at(at));
    EXPECT_EQ(type.group, at % 3 == 0 ? "" : "group");
    ++at;
  }
  EXPECT_EQ(at, count);
}

TEST(EventTypes, KeepTheirTexts) {
  EventTypes types;
  EXPECT_TRUE(types.empty());
  grow(types, kSome);
  expect_named(types, kSome);
  const EventTypes moved = std::move(types);
  expect_named(moved, kSome);
}

TEST(EventTypes, OfManyTheMemoryOutlivesTheListThatMadeIt) {
  constexpr size_t kMany = 100'000;
  EventTypes copy;
  {
    EventTypes types;
    grow(types, kMany);
    copy = types;
    grow(types, kMany + 1'000);
  }
  expect_named(copy, kMany);
  grow(copy, kMany + 1'000);
  expect_named(copy, kMany + 1'000);
}

TEST(EventTypes, ACopyStaysAsItWasWhileItsOriginalGrows) {
  EventTypes types;
  for (const size_t count : {0, 1, 63, 64, 65}) {
    grow(types, count);
    const EventTypes copy = types;
    EXPECT_EQ(copy, types);
    grow(types, count + 1);
    types.set_color(EventTypeId(0), static_cast<uint32_t>(count));
    EXPECT_NE(copy, types);
    expect_named(copy, count);
    if (count > 0) {
      EXPECT_NE(copy[0].rgb, types[0].rgb);
    }
  }
}

TEST(EventTypes, BothGrowOnTheirOwn) {
  EventTypes types;
  grow(types, kSome);
  EventTypes copy = types;
  types.push_back({.name = "of the original", .group = {}});
  copy.push_back({.name = "of the copy", .group = {}});
  copy.push_back({.name = "another", .group = {}});
  EXPECT_EQ(types.size(), kSome + 1);
  EXPECT_EQ(types[kSome].name, "of the original");
  EXPECT_EQ(copy[kSome].name, "of the copy");
  types = {};
  EXPECT_TRUE(types.empty());
  EXPECT_EQ(copy[0].name, name_at(0));
  EXPECT_EQ(copy[kSome + 1].name, "another");
}

TEST(EventTypes, AreEqualByWhatTheyAre) {
  EventTypes types, others;
  grow(types, kSome);
  grow(others, kSome);
  EXPECT_EQ(types, others);
  others.set_color(EventTypeId(kSome - 1), 0x123456);
  EXPECT_NE(types, others);
  types.set_color(EventTypeId(kSome - 1), 0x123456);
  EXPECT_EQ(types, others);
}

TEST(EventTypes, OthersReadCopiesMeanwhile) {
  EventTypes types;
  grow(types, kSome);
  const EventTypes copy = types;
  std::thread reader([&copy] {
    for (int i = 0; i < 100; ++i) expect_named(EventTypes(copy), kSome);
  });
  for (size_t i = 0; i < 1'000; ++i) {
    grow(types, types.size() + 1);
    types.set_color(EventTypeId(static_cast<uint32_t>(i % types.size())), 0x123456);
  }
  reader.join();
  expect_named(types, kSome + 1'000);
}

}  // namespace
}  // namespace weft::trace
