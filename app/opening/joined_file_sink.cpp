#include "app/opening/joined_file_sink.h"

#include <utility>

namespace weft::app {

JoinedFileSink::JoinedFileSink(trace::EventSink& target, std::string file_name, JoinedFiles& joined)
    : PassingSink(target), file_name_(std::move(file_name)), joined_(joined) {
  file_lane_ = PassingSink::add_lane({.name = file_name_});
}

void JoinedFileSink::set_metadata(std::string_view key, std::string_view value) {
  PassingSink::set_metadata(file_name_ + ": " + std::string(key), value);
}

void JoinedFileSink::loss(std::string_view kind, const trace::LossPlace& place, uint64_t count,
                          bool is_damage) {
  PassingSink::loss(file_name_ + ": " + std::string(kind), place, count, is_damage);
}

void JoinedFileSink::progress(uint64_t bytes_done, uint64_t) {
  PassingSink::progress(joined_.bytes_before + bytes_done, joined_.bytes_total);
}

trace::Lane JoinedFileSink::below_file(trace::Lane lane) const {
  if (lane.parent.is_none()) lane.parent = file_lane_;
  return lane;
}

bool JoinedFileSink::agrees_on_time() {
  if (!joined_.time_base) {
    joined_.time_base = time_base_;
    PassingSink::set_time_base(time_base_);
  }
  has_other_time_base_ = *joined_.time_base != time_base_;
  return !has_other_time_base_;
}

}  // namespace weft::app
