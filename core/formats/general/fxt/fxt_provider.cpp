#include "core/formats/general/fxt/fxt_provider.h"

#include "core/base/saturating.h"
#include "core/base/time.h"

namespace weft::formats::fxt {
namespace {

constexpr uint64_t kInlineText = 0x8000, kTextIndex = 0x7FFF, kInlineThread = 0;

}  // namespace

bool Provider::set_rate(uint64_t ticks_per_second) {
  if (ticks_per_second == 0) return false;
  rate_ = ticks_per_second;
  return true;
}

Time Provider::time_of(uint64_t ticks) const {
  return {saturating_scale(ticks, kNsPerSecond, rate_)};
}

void Provider::set_string(uint64_t index, std::string_view text) {
  if (index == 0) return;
  if (strings_.size() <= index) strings_.resize(index + 1);
  std::string& old = strings_[index];
  table_bytes_ += text.size();
  table_bytes_ -= old.size();
  old = text;
}

void Provider::set_user_object(uint64_t process, uint64_t pointer, std::string_view object_name) {
  constexpr size_t kNodeBytes = 96;
  const auto [it, is_new] = user_objects_.try_emplace({process, pointer});
  table_bytes_ += object_name.size() + (is_new ? kNodeBytes : 0);
  table_bytes_ -= it->second.size();
  it->second = object_name;
}

std::string_view Provider::text(uint64_t reference, Words& record) const {
  if ((reference & kInlineText) != 0) return record.stream(reference & kTextIndex);
  return reference < strings_.size() ? std::string_view(strings_[reference]) : std::string_view();
}

bool Provider::knows_text(uint64_t reference) const {
  return reference == 0 || (reference & kInlineText) != 0 ||
         (reference < strings_.size() && !strings_[reference].empty());
}

ThreadId Provider::thread(uint64_t reference, Words& record) const {
  if (reference != kInlineThread) return threads_[reference & 0xFF];
  const uint64_t process = record.word();
  return {process, record.word()};
}

uint64_t Provider::process(uint64_t reference, Words& record) const {
  return reference == kInlineThread ? record.word() : threads_[reference & 0xFF].process;
}

std::string_view Provider::user_object(uint64_t process, uint64_t pointer) const {
  const auto it = user_objects_.find({process, pointer});
  return it == user_objects_.end() ? std::string_view() : std::string_view(it->second);
}

}  // namespace weft::formats::fxt
