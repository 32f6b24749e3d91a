#include "core/formats/kernel/ctf/events_ahead.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "core/base/flat_index.h"

namespace weft::formats::ctf {
namespace {

// Room that is given away piece by piece, and taken back all at once.
class Room {
 public:
  Room() { add_block(0); }

  std::byte* take(size_t bytes) {
    bytes = (bytes + alignof(Field) - 1) / alignof(Field) * alignof(Field);
    if (bytes > left_) add_block(bytes);
    std::byte* const piece = next_;
    next_ += bytes;
    left_ -= bytes;
    return piece;
  }
  bool is_full() const { return blocks_.size() > 1 || left_ < kBytes / 8; }
  bool is_large() const { return bytes_ > 16 * kBytes; }
  void clear() {
    blocks_.resize(1);
    bytes_ = kBytes;
    next_ = blocks_[0].get();
    left_ = kBytes;
  }

 private:
  static constexpr size_t kBytes = 192 << 10;  // what a core keeps near, several times

  void add_block(size_t least_bytes) {
    left_ = std::max(least_bytes, kBytes);
    bytes_ += left_;
    blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(left_));
    next_ = blocks_.back().get();
  }

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  size_t bytes_ = 0;           // of all blocks
  std::byte* next_ = nullptr;  // in the last of them
  size_t left_ = 0;
};

struct Message {
  const EventLayout* layout;  // null: no event, but what the next of `others` tells
  size_t stream;
  Time time;
  EventFields fields;
};

struct Batch {
  std::vector<Message> messages;
  std::vector<std::function<void(Player&)>> others;
  Room room;
  bool is_last = false;
};

// From the thread that fills them to the one that plays them, in order.
class Batches {
 public:
  static constexpr uint32_t kCount = 4;

  // An empty one. Waits until fewer than `most` are filled and not played.
  Batch& to_fill(uint32_t most = kCount) {
    const uint32_t filled = filled_;
    for (uint32_t played = played_; filled - played >= most; played = played_) played_.wait(played);
    return batches_[filled % kCount];
  }
  void push() {
    ++filled_;
    filled_.notify_one();
  }
  // Waits for one that has been filled.
  const Batch& to_play() {
    const uint32_t played = played_;
    filled_.wait(played);
    return batches_[played % kCount];
  }
  void pop() {
    Batch& batch = batches_[played_ % kCount];
    batch.messages.clear();
    batch.others.clear();
    batch.room.clear();
    ++played_;
    played_.notify_one();
  }

 private:
  std::array<Batch, kCount> batches_;
  std::atomic<uint32_t> filled_ = 0, played_ = 0;
};

// Null of null.
std::unique_ptr<const FieldClass> class_of(const bt_field_class* its_class) {
  return its_class == nullptr ? nullptr : std::make_unique<const FieldClass>(*its_class);
}

// Copies what the graph gives into batches.
class Copier final : public Visitor {
 public:
  Copier(Batches& batches, const std::atomic<bool>& is_stopped)
      : batches_(batches), is_stopped_(is_stopped), batch_(&batches.to_fill()) {}

  void begin(size_t stream, const bt_stream& what, bool has_clock) override {
    if (streams_.size() <= stream) streams_.resize(stream + 1);
    streams_[stream].context_class =
        class_of(bt_stream_class_borrow_packet_context_field_class_const(
            bt_stream_borrow_class_const(&what)));
    tell([stream, &what, has_clock](Player& player) { player.begin(stream, what, has_clock); });
  }
  bool goes_first(const bt_stream& stream) const override { return Player::goes_first(stream); }
  void packet(size_t stream, const bt_packet& packet) override {
    make_room();
    streams_[stream].context = nullptr;
    const Field* const context = context_of(stream, packet);
    add([stream, context](Player& player) { player.packet(stream, context); });
  }
  void event(size_t stream, const bt_event& event, Time time) override {
    make_room();
    const EventLayout& layout = layout_of(event);
    EventFields fields;
    fields.payload = copy(bt_event_borrow_payload_field_const(&event), layout.payload.get());
    fields.specific =
        copy(bt_event_borrow_specific_context_field_const(&event), layout.specific.get());
    fields.common = copy(bt_event_borrow_common_context_field_const(&event), layout.common.get());
    if (streams_[stream].context_class != nullptr)
      fields.packet = context_of(stream, *bt_event_borrow_packet_const(&event));
    batch_->messages.push_back({&layout, stream, time, fields});
  }
  void discarded(size_t stream, const Discarded& what) override {
    tell([stream, what](Player& player) { player.discarded(stream, what); });
  }
  void failed(size_t stream, const std::string& why) override {
    tell([stream, why](Player& player) { player.failed(stream, why); });
  }
  void time_out_of_range(size_t stream) override {
    tell([stream](Player& player) { player.time_out_of_range(stream); });
  }
  bool keep_going() const override { return !is_stopped_; }

  // Ends the sequence: nothing more comes.
  void finish() {
    batch_->is_last = true;
    batches_.push();
  }

 private:
  struct Stream {
    std::unique_ptr<const FieldClass> context_class;  // of its packets; null: they have no context
    const Field* context = nullptr;                   // of this packet; null: not in this batch yet
  };

  void tell(std::function<void(Player&)> what) {
    make_room();
    add(std::move(what));
  }
  void add(std::function<void(Player&)> what) {
    batch_->others.push_back(std::move(what));
    batch_->messages.push_back({});
  }

  // A full batch goes to be played; a large one alone.
  void make_room() {
    constexpr size_t kMostMessages = 1024;
    if (batch_->messages.size() < kMostMessages && !batch_->room.is_full()) return;
    const bool is_large = batch_->room.is_large();
    batches_.push();
    batch_ = &batches_.to_fill(is_large ? 1 : Batches::kCount);
    for (Stream& stream : streams_) stream.context = nullptr;
  }

  const EventLayout& layout_of(const bt_event& event) {
    const bt_event_class* const key = bt_event_borrow_class_const(&event);
    const size_t index =
        layout_by_address_.insert(reinterpret_cast<uintptr_t>(key), layouts_.size());
    if (index == layouts_.size()) layouts_.push_back(std::make_unique<EventLayout>(*key, index));
    return *layouts_[index];
  }

  const Field* context_of(size_t stream, const bt_packet& packet) {
    Stream& s = streams_[stream];
    if (s.context == nullptr)
      s.context = copy(bt_packet_borrow_context_field_const(&packet), s.context_class.get());
    return s.context;
  }

  const Field* copy(const bt_field* structure, const FieldClass* its_class) {
    if (structure == nullptr || its_class == nullptr) return nullptr;
    Field* const field = fields(1);
    copy(structure, *its_class, *field);
    return field;
  }
  void copy(const bt_field* from, const FieldClass& its_class, Field& to) {
    using Kind = FieldClass::Kind;
    to.its_class = &its_class;
    if (its_class.kind == Kind::kUnsigned) {
      to.bits = bt_field_integer_unsigned_get_value(from);
    } else if (its_class.kind == Kind::kSigned) {
      to.bits = static_cast<uint64_t>(bt_field_integer_signed_get_value(from));
    } else {
      copy_other(from, its_class, to);
    }
  }
  void copy_other(const bt_field* from, const FieldClass& its_class, Field& to);

  Field* fields(uint64_t count) {
    return new (batch_->room.take(count * sizeof(Field))) Field[count];
  }

  Batches& batches_;
  const std::atomic<bool>& is_stopped_;
  Batch* batch_;
  std::vector<Stream> streams_;
  std::vector<std::unique_ptr<EventLayout>> layouts_;
  FlatIndex<uint64_t, NumberHash> layout_by_address_;
};

void Copier::copy_other(const bt_field* from, const FieldClass& its_class, Field& to) {
  using Kind = FieldClass::Kind;
  switch (its_class.kind) {
    case Kind::kSingle:
      to.real = static_cast<double>(bt_field_real_single_precision_get_value(from));
      break;
    case Kind::kDouble:
      to.real = bt_field_real_double_precision_get_value(from);
      break;
    case Kind::kText: {
      to.size = bt_field_string_get_length(from);
      std::byte* const text = batch_->room.take(to.size);
      std::memcpy(text, bt_field_string_get_value(from), to.size);
      to.text = reinterpret_cast<const char*>(text);
      break;
    }
    case Kind::kStructure: {
      Field* const members = fields(its_class.parts.size());
      for (size_t i = 0; i < its_class.parts.size(); ++i) {
        copy(bt_field_structure_borrow_member_field_by_index_const(from, i), its_class.parts[i],
             members[i]);
      }
      to.parts = members;
      break;
    }
    case Kind::kArray: {
      to.size = bt_field_array_get_length(from);
      const uint64_t count = std::min(to.size, kMostElements);
      Field* const elements = fields(count);
      for (uint64_t i = 0; i < count; ++i) {
        copy(bt_field_array_borrow_element_field_by_index_const(from, i), its_class.parts[0],
             elements[i]);
      }
      to.parts = elements;
      break;
    }
    case Kind::kVariant:
      copy(bt_field_variant_borrow_selected_option_field_const(from),
           its_class.parts[bt_field_variant_get_selected_option_index(from)], to);
      break;
    default:  // integers, and what CTF 1.8 has not
      break;
  }
}

void play(const Batch& batch, Player& player) {
  auto other = batch.others.begin();
  for (const Message& message : batch.messages) {
    if (message.layout == nullptr) {
      (*other++)(player);
    } else {
      player.event(message.stream, *message.layout, message.fields, message.time);
    }
  }
}

}  // namespace

EventLayout::EventLayout(const bt_event_class& of, size_t its_number)
    : event_class(of), number(its_number) {
  const bt_stream_class* const stream = bt_event_class_borrow_stream_class_const(&of);
  payload = class_of(bt_event_class_borrow_payload_field_class_const(&of));
  specific = class_of(bt_event_class_borrow_specific_context_field_class_const(&of));
  common = class_of(bt_stream_class_borrow_event_common_context_field_class_const(stream));
  packet = class_of(bt_stream_class_borrow_packet_context_field_class_const(stream));
}

Status play_ahead(Graph& graph, Player& player) {
  Batches batches;
  std::atomic<bool> is_stopped = false;
  Copier copier(batches, is_stopped);
  auto decoding = std::async(std::launch::async, [&] {
    struct Finish {
      Copier& copier;
      ~Finish() { copier.finish(); }
    } const finish{copier};
    return graph.run(copier);
  });
  std::exception_ptr error;
  for (bool is_last = false; !is_last; batches.pop()) {
    const Batch& batch = batches.to_play();
    is_last = batch.is_last;
    if (is_stopped) continue;
    try {
      play(batch, player);
      is_stopped = !player.keep_going();
    } catch (...) {
      error = std::current_exception();
      is_stopped = true;
    }
  }
  const Status status = decoding.get();
  if (error) std::rethrow_exception(error);
  return status;
}

}  // namespace weft::formats::ctf
