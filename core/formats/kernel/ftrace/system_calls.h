// Names of Linux's system calls, which recordings of raw_syscalls only number, and of the errors
// that they return.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::formats::ftrace {

// "sys_read" of 0 on a machine that `uname -m` calls "x86_64"; "system call 0" where none is known.
std::string name_of_system_call(std::string_view machine, int64_t number);

// Whether "read" is one, of any of the machines above.
bool is_system_call(std::string_view name);

// "ENOENT" where a call returned -2; empty where that is not an error with a name. The numbers are
// those of all machines but Alpha, MIPS, PA-RISC and SPARC.
std::string_view name_of_error(int64_t returned);

}  // namespace weft::formats::ftrace
