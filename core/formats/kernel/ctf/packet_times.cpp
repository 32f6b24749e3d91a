#include "core/formats/kernel/ctf/packet_times.h"

#include <babeltrace2/babeltrace.h>
#include <dlfcn.h>

namespace weft::formats::ctf {
namespace {

using Create = decltype(bt_message_packet_beginning_create_with_default_clock_snapshot);

const bt_stream_class* class_of(const bt_packet* packet) {
  return bt_stream_borrow_class_const(bt_packet_borrow_stream_const(packet));
}

Create* next(const char* name) { return reinterpret_cast<Create*>(::dlsym(RTLD_NEXT, name)); }

}  // namespace

void stand_before_packet_times() {}

}  // namespace weft::formats::ctf

extern "C" {

[[gnu::visibility("default")]] bt_message*
bt_message_packet_beginning_create_with_default_clock_snapshot(bt_self_message_iterator* iterator,
                                                               const bt_packet* packet,
                                                               uint64_t time) {
  using namespace weft::formats::ctf;
  if (!bt_stream_class_packets_have_beginning_default_clock_snapshot(class_of(packet)))
    return bt_message_packet_beginning_create(iterator, packet);
  static Create* const of_library = next(__func__);
  return of_library(iterator, packet, time);
}

[[gnu::visibility("default")]] bt_message* bt_message_packet_end_create_with_default_clock_snapshot(
    bt_self_message_iterator* iterator, const bt_packet* packet, uint64_t time) {
  using namespace weft::formats::ctf;
  if (!bt_stream_class_packets_have_end_default_clock_snapshot(class_of(packet)))
    return bt_message_packet_end_create(iterator, packet);
  static Create* const of_library = next(__func__);
  return of_library(iterator, packet, time);
}

}  // extern "C"
