#include "app/opening/unpack_apart.h"

#include <sys/socket.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/base/unpack_wire.h"

namespace weft::app {
namespace {

namespace fs = std::filesystem;

Result<bool> tell_block(const Conversation& with, const BlockHead& head,
                        std::span<const std::byte> bytes, std::chrono::milliseconds patience) {
  WEFT_TRY_ASSIGN(const bool is_taken, tell(with, std::as_bytes(std::span(&head, 1)), patience));
  return is_taken ? tell(with, bytes, patience) : false;
}

// Sends all of the input, or what comes before its error. Who wants no more has an answer, or none.
Status send_all(const Conversation& with, const io::PackedInput& input,
                std::chrono::milliseconds patience) {
  constexpr size_t kBlockBytes = 256 << 10;
  std::vector<std::byte> block(kBlockBytes);
  for (;;) {
    const auto n = input.read(block);
    const std::string_view error = n ? std::string_view() : n.error().message;
    const BlockHead head{.most_bytes = input.most_bytes(),
                         .bytes = static_cast<uint32_t>(n.value_or(0)),
                         .error_bytes = static_cast<uint32_t>(error.size())};
    const auto bytes =
        n ? std::span<const std::byte>(block).first(*n) : std::as_bytes(std::span(error));
    WEFT_TRY_ASSIGN(const bool is_taken, tell_block(with, head, bytes, patience));
    if (is_taken && head.bytes > 0) continue;
    ::shutdown(with.to.get(), SHUT_WR);
    return {};
  }
}

Result<std::string> answer_of(const Conversation& with, std::chrono::milliseconds patience) {
  constexpr size_t kMostBytes = 64 << 20;  // names and times of all files that there may be
  std::string answer;
  const auto take = [&](std::span<const std::byte> bytes) {
    answer.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return Status();
  };
  const auto wants_more = [&] { return answer.size() < kMostBytes; };
  WEFT_TRY_ASSIGN(std::string why,
                  listen(with.from.get(), with.process, patience, wants_more, take));
  if (!why.empty()) return fail(std::move(why));
  return answer;
}

}  // namespace

io::Unpack unpack_apart(fs::path program, std::chrono::milliseconds patience) {
  return [program = std::move(program), patience](io::Packing packing, const io::PackedInput& input,
                                                  const fs::path& folder) -> Result<io::Unpacked> {
    WEFT_TRY_ASSIGN(
        Conversation with,
        Conversation::start(program, {"--unpack", std::string(word_of(packing))}, folder));
    Status sent = send_all(with, input, patience);
    auto answer = sent ? answer_of(with, patience) : fail(std::move(sent).error());
    if (answer && !answer->empty()) return unpacked_from(*answer);
    return fail("cannot be unpacked: what does so stopped: " +
                (answer ? with.process.wait() : answer.error().message));
  };
}

}  // namespace weft::app
