#include "tests/core/formats/reading.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

#include "core/base/thread_pool.h"
#include "core/formats/formats.h"

namespace weft::test {
namespace {

// Libraries of others lose memory where bytes are damaged: what is allocated meanwhile is not
// counted as a leak. (What our own readers would lose is found where they read without one.)
class LeaksOfOthers {
 public:
  explicit LeaksOfOthers(bool is_foreign) : is_foreign_(is_foreign) {
#ifdef __SANITIZE_ADDRESS__
    if (is_foreign_) __lsan_disable();
#endif
  }
  ~LeaksOfOthers() {
#ifdef __SANITIZE_ADDRESS__
    if (is_foreign_) __lsan_enable();
#endif
  }
  LeaksOfOthers(const LeaksOfOthers&) = delete;
  LeaksOfOthers& operator=(const LeaksOfOthers&) = delete;

 private:
  [[maybe_unused]] bool is_foreign_;
};

}  // namespace

Status read_to(trace::EventSink& sink, const std::filesystem::path& path,
               const ReadingOptions& options) {
  static ThreadPool pool(2);
  WEFT_TRY_ASSIGN(auto source, io::Source::open(path));
  WEFT_TRY_ASSIGN(const formats::Inputs recognised,
                  formats::recognise_single(std::move(source), options.format));
  const formats::Input& input = recognised.inputs.front();
  formats::ReadContext context{pool, options.memory_bytes, options.of_format, options.changed};
  if (options.chunk_bytes > 0) context.options["chunk_bytes"] = std::to_string(options.chunk_bytes);
  const LeaksOfOthers allowed(input.format->is_foreign);
  return formats::read(*input.format, *input.source, sink, context);
}

std::unique_ptr<Reading> read(const std::filesystem::path& path, const ReadingOptions& options) {
  auto reading = std::make_unique<Reading>();
  const Status status = read_to(reading->sink, path, options);
  if (!status) reading->error = status.error().message;
  return reading;
}

}  // namespace weft::test
