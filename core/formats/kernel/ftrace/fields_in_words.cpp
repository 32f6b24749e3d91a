#include "core/formats/kernel/ftrace/fields_in_words.h"

#include <fmt/core.h>

#include <cstdint>

#include "core/formats/base/text.h"

namespace weft::formats::ftrace {
namespace {

enum class Until : uint8_t {
  kWord,     // one word
  kComma,    // what is up to a comma
  kBracket,  // what is between the last such text and a bracket
};

// What stands behind a text is the value of a field.
struct FieldInWords {
  std::string_view event;  // or with what its name begins
  std::string_view before, field;
  Until until = Until::kWord;
};
// "napi poll on napi struct 00000000a1 for device eth0 work 3 budget 64", "send_req: 1d84000.ufshc:
// tag: 31, …, opcode: 0x28 (READ_10)", "ino 7, offset 0, bytes 4096", "fence=00000000b2 signaled",
// "iwl 0000:01:00.0, parent: none, noirq driver [suspend]", "i2c-3 #0 a=00a f=0000 l=2 [61-62]".
constexpr FieldInWords kFieldsInWords[] = {
    {"napi_poll", " struct ", "napi"},
    {"napi_poll", " device ", "dev_name"},
    {"napi_poll", " work ", "work"},
    {"napi_poll", " budget ", "budget"},
    {"ufshcd_command", "", "str"},
    {"ufshcd_command", ": ", "dev_name"},
    {"ufshcd_command", " tag: ", "tag"},
    {"ufshcd_command", " DB: ", "doorbell"},
    {"ufshcd_command", " size: ", "transfer_len"},
    {"ufshcd_command", " IS: ", "intr"},
    {"ufshcd_command", " LBA: ", "lba"},
    {"ufshcd_command", " opcode: ", "opcode"},
    {"ufshcd_command", " group_id: ", "group_id"},
    {"android_fs_data", "entry_name ", "pathbuf"},
    {"android_fs_data", "ino ", "ino"},
    {"android_fs_data", " offset ", "offset"},
    {"android_fs_data", " bytes ", "bytes"},
    {"android_fs_data", " cmdline ", "cmdline"},
    {"android_fs_data", " pid ", "pid"},
    {"android_fs_data", " i_size ", "i_size"},
    {"drm_", "entity=", "entity"},
    {"drm_", " id=", "id"},
    {"drm_", "dev=", "dev"},
    {"drm_", "fence=", "fence"},
    {"drm_", " ring=", "name"},
    {"drm_", " job count:", "job_count"},
    {"drm_", " hw job count:", "hw_job_count"},
    {"drm_", " client_id:", "client_id"},
    {"device_pm_callback_", "", "driver"},
    {"device_pm_callback_", " ", "device"},
    {"device_pm_callback_", " parent: ", "parent"},
    {"device_pm_callback_start", ", ", "pm_ops", Until::kBracket},
    {"device_pm_callback_", " [", "event"},
    {"device_pm_callback_", "err=", "error"},
    {"i2c_", "i2c-", "adapter_nr"},
    {"i2c_", " #", "msg_nr"},
    {"i2c_", " a=", "addr"},
    {"i2c_", " f=", "flags"},
    {"i2c_", " l=", "len"},
    {"i2c_", " [", "buf"},
    {"i2c_", " n=", "nr_msgs"},
    {"i2c_", " ret=", "ret"},
    {"cpuhp_", "cpu: ", "cpu"},
    {"cpuhp_", "target: ", "target"},
    {"cpuhp_", "state: ", "state"},
    {"cpuhp_", "step: ", "idx"},
    {"cpuhp_", " (", "fun"},
    {"cpuhp_", "ret: ", "ret"},
    {"f2fs_write_checkpoint", "dev = (", "dev"},
    {"f2fs_write_checkpoint", "checkpoint for ", "reason", Until::kComma},
    {"f2fs_write_checkpoint", "state = ", "msg", Until::kComma},
    {"gpu_work_period", "gpu_id = ", "gpu_id"},
    {"gpu_work_period", "uid = ", "uid"},
    {"gpu_work_period", "start_time_ns = ", "start_time_ns"},
    {"gpu_work_period", "end_time_ns = ", "end_time_ns"},
    {"gpu_work_period", "duration_ns = ", "total_active_duration_ns"},
    {"dcvsh_freq", "cpu:", "cpu"},
    {"dcvsh_freq", " frequency:", "freq"},
    {"dcvsh_freq", "requested_freq:", "req_freq"},
    {"dcvsh_freq", "throttled_freq:", "throttled_freq"},
};

std::string_view value_behind(std::string_view args, const FieldInWords& word) {
  if (word.until == Until::kBracket) {
    const std::string_view rest = args.substr(args.rfind(word.before) + word.before.size());
    return trimmed(rest.substr(0, rest.find('[')));
  }
  std::string_view rest = args.substr(args.find(word.before) + word.before.size());
  if (word.until == Until::kComma) return trimmed(rest.substr(0, rest.find(',')));
  std::string_view value = take_word(rest);
  while (!value.empty() && std::string_view(",:)]").contains(value.back())) value.remove_suffix(1);
  return value;
}

// "0 10120 100000100000 100000400000 250000", as some drivers of GPUs print their work.
std::string gpu_work_in_order(std::string_view args) {
  std::string fields;
  for (const std::string_view name :
       {"gpu_id", "uid", "start_time_ns", "end_time_ns", "total_active_duration_ns"}) {
    const std::string_view number = take_word(args);
    if (!parse_number<uint64_t>(number)) return {};
    fields += fmt::format("{}{}={}", fields.empty() ? "" : " ", name, number);
  }
  return fields;
}

}  // namespace

std::string fields_in_words(std::string_view event, std::string_view args) {
  std::string fields;
  for (const FieldInWords& word : kFieldsInWords) {
    if (!event.starts_with(word.event) || !args.contains(word.before)) continue;
    const std::string_view value = value_behind(args, word);
    if (word.before.empty() && value.contains('=')) continue;  // fields, after all
    fields += fmt::format("{}{}={}", fields.empty() ? "" : " ", word.field, value);
  }
  return fields.empty() && event == "gpu_work_period" ? gpu_work_in_order(args) : fields;
}

}  // namespace weft::formats::ftrace
