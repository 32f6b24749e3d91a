// What the system calls of Linux are called, which a recording of raw_syscalls numbers only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::formats::ftrace {

// "sys_read" of 0 on a machine that `uname -m` calls "x86_64"; "system call 0" where none is known.
std::string name_of_system_call(std::string_view machine, int64_t number);

}  // namespace weft::formats::ftrace
