// libtracecmd's header, without that of libtracefs, which it includes: that one is not a C++, and
// nothing of it is used.
#pragma once

#include <sched.h>

#define _TRACE_FS_H  // NOLINT: its include guard
#include <trace-cmd.h>

// Exported, but declared in a header that is not installed: what `uname -a` said where it was
// recorded, or null.
extern "C" const char* tracecmd_get_uname(tracecmd_input* handle);
