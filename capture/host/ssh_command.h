// The command run on the remote machine. Internal to capture/host.
//
// For any POSIX shell (dash, BusyBox), whatever the user's login shell: one line without single
// quotes inside. It reads three lines: "once" or "follow", the first byte wanted (from 1), and the
// path. It prints "@weftscope KIND INODE SIZE CHANGED", then the bytes, and sends a heartbeat on
// standard error each second. The heartbeat process kills the reading one once nobody listens any
// more, which a reader with nothing to write would never notice.
//
// CHANGED is the last change of the file's content and of its inode, in seconds
// ("1764194800.1764194801"; no program can set the latter); "-" if unknown (no stat), or so recent
// that a further change might not show.
#pragma once

#include <string_view>

namespace weft::capture {

inline constexpr char kBeat = '\x06';
inline constexpr std::string_view kAnswerMark = "@weftscope ";

inline constexpr const char* kRemoteCommand =
    "sh -c '"
    "LC_ALL=C; export LC_ALL; set -f; "
    "IFS= read -r how; IFS= read -r at; IFS= read -r path; "
    "[ -r \"$path\" ] || { cat \"$path\"; exit 1; }; "
    "kind=pipe; id=0; size=0; changed=-; "
    "if [ -d \"$path\" ]; then kind=folder; "
    "elif [ -f \"$path\" ]; then kind=file; "
    "set -- $(ls -Lnldi \"$path\"); id=$1; size=$6; "
    // Files that the kernel generates on reading report a size of 0.
    "case \"$size $how $path\" in \"0 once \"*|\"0 \"*\" /sys/\"*|\"0 \"*\" /proc/\"*) kind=pipe;; "
    "esac; "
    "changed=$( { at=$(stat -Lc %Y.%Z \"$path\") && now=$(date +%s) && "
    "[ \"$now\" -gt $((${at#*.} + 2)) ] && printf %s \"$at\"; } 2>/dev/null ); fi; "
    "printf \"\\n@weftscope %s %s %s %s\\n\" \"$kind\" \"$id\" \"$size\" \"${changed:--}\"; "
    "case \"$kind $how $at\" in "
    "folder*) exec tar -C \"$path\" -cf - . ;; "
    "\"file follow\"*) exec tail -c \"+$at\" -f \"$path\" ;; "
    "pipe*|*\" 1\") exec cat \"$path\" ;; "
    "*) exec tail -c \"+$at\" \"$path\" ;; "
    "esac & reader=$!; "
    "( trap \"\" PIPE; while printf \"\\006\" >&2; do sleep 1 2>/dev/null; done; kill $reader ) "
    ">/dev/null </dev/null & beats=$!; "
    "wait $reader; status=$?; kill $beats; exit $status'";

}  // namespace weft::capture
