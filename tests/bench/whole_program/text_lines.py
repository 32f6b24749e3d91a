"""What measure_text.py writes: of each format of text, what its producers write, line by line.

FORMATS has for each the parts of a file, in their order: texts, and functions that give what belongs to event i.
All functions are asked for the same i, one function after the other. Behind a slash stands which of a format's
notations it is.
"""

import json
import os

CALLS = (
    'openat(AT_FDCWD, "/usr/lib/x86_64-linux-gnu/libc.so.6", O_RDONLY|O_CLOEXEC) = 3',
    'read(3, "\\177ELF\\2\\1\\1\\3\\0\\0\\0\\0\\0\\0\\0\\0\\3\\0>\\0\\1\\0\\0\\0"..., 832) = 832',
    'newfstatat(3, "", {st_mode=S_IFREG|0755, st_size=1922136, ...}, AT_EMPTY_PATH) = 0',
    'close(3)                          = 0',
    'futex(0x7f3a5c0008e0, FUTEX_WAIT_PRIVATE, 2, NULL) = -1 EAGAIN (Resource temporarily unavailable)',
)


def strace(i):
    t = 36_000_000_000 + 37 * i
    s, us = divmod(t // 1000 * 1000 + t % 1000, 1_000_000)
    return f"{4000 + i % 4} {s // 3600:02}:{s // 60 % 60:02}:{s % 60:02}.{us:06} {CALLS[i % 5]} <0.{i % 900:06}>\n"


def tlv(i):
    t, task = 1000 + 7 * i, f"TASK{i % 12}"
    return (f"[{t}]{task}.dispatch()\n[{t}]{task}.state=RUNNING\n[{t + 1}]{task}.enterSVC(dly_tsk, dlytim=10)\n"
            f"[{t + 3}]{task}.state=WAITING\n")


def ftrace(i):
    cpu, step, t = i % 4, i // 4 % 5, 1_000_000_000 + 13 * i
    task = f"bash-{100 + cpu}" if step == 0 else f"worker-{200 + cpu}"
    head = f"{task:>20}     [00{cpu}] d..2. {t // 1_000_000}.{t % 1_000_000:06}: "
    return head + (
        f"sched_switch: prev_comm=bash prev_pid={100 + cpu} prev_prio=120 prev_state=S ==> next_comm=worker "
        f"next_pid={200 + cpu} next_prio=120\n",
        f"sched_wakeup: comm=bash pid={100 + cpu} prio=120 target_cpu=00{cpu}\n",
        "irq_handler_entry: irq=46 name=eth0\n",
        "irq_handler_exit: irq=46 ret=handled\n",
        f"sched_switch: prev_comm=worker prev_pid={200 + cpu} prev_prio=120 prev_state=S ==> next_comm=bash "
        f"next_pid={100 + cpu} next_prio=120\n")[step]


def perf_script(i):
    t = 10_000_000_000 + 250 * i
    frames = "".join(f"\tffffffff81{(i * 7 + k) % 97:06x} function_{(i * 7 + k) % 97}+0x{k:x} (/usr/lib/libwork.so.1)\n"
                     for k in range(2 + i % 6))
    return f"worker {100 + i % 3}/{101 + i % 3} [00{i % 4}] {t // 1_000_000}.{t % 1_000_000:06}:     250000 cycles: \n{frames}\n"


def folded(i):
    return ";".join(f"function_{(i * 31 + 7 * k) % 997}" for k in range(4 + i % 9)) + f" {1 + i % 50}\n"


def paraver(i):
    thread, t = 1 + i % 8, 1000 * (i // 8)
    place = f"{thread}:1:{thread}:1"
    return (f"1:{place}:{t}:{t + 600}:{1 + i % 5}\n", f"2:{place}:{t}:50000001:{i % 9}:42000050:{i * 17 % 99999}\n",
            f"3:{place}:{t}:{t + 9}:{1 + (i + 3) % 8}:1:{1 + (i + 3) % 8}:1:{t + 40}:{t + 44}:4096:7\n")[i % 3]


def btrace(i):
    queue = f"Receiver:0x{2 + i % 9:X}"
    t, data = 20 * i, "DE AD BE EF 00 11 22 33"
    return (f"{t}\tMESSAGE_SEND\tUid:{i}\tSender:0x{1 + i % 7:X}\t{queue}\tType:0x{i % 16:02X}\tPriority:3\n"
            f"{t + 2}\tMESSAGE_DATA\tUid:{i}\tData:{data}\n"
            f"{t + 9}\tMESSAGE_RECEIVE\tUid:{i}\t{queue}\n{t + 15}\tMESSAGE_DONE\tUid:{i}\t{queue}\n")


def shiviz(i):
    hosts = [f"node{k}" for k in (i % 4, (i + 1) % 4)]
    return f'{hosts[0]} {{"{hosts[0]}":{i // 4 + 1}, "{hosts[1]}":{max(1, i // 4)}}}\nRequest {i} is handled by the worker\n'


def ninja_log(i):
    begin = 40 * i
    return f"{begin}\t{begin + 900 + i % 300}\t1795218670432083735\tCMakeFiles/program.dir/source_{i}.cpp.o\t{i:016x}\n"


def csv(i):
    t = 100 * i
    return (f'state,{t},process/thread {i % 8},"work, part {i % 20}",90,0,,,,"{{""n"":{i % 100}}}",\n',
            f"punctual,{t},process/thread {i % 8},tick,,,,,,,\n", f"variable,{t},process,load,,,,,{i % 1000 / 8},,\n")[i % 3]


def vcd(i):
    first = 33 + i % 40
    bits = "".join(f"{i >> k & 1}{chr(first + k)}\n" for k in range(3))
    return f"#{10 * i}\n{bits}b{i * 977 % 65536:016b} {chr(80 + i % 40)}\n"


PAJE_HEADER = """%EventDef PajeDefineContainerType 0
% Alias string
% Type string
% Name string
%EndEventDef
%EventDef PajeDefineStateType 1
% Alias string
% Type string
% Name string
%EndEventDef
%EventDef PajeCreateContainer 6
% Time date
% Alias string
% Type string
% Container string
% Name string
%EndEventDef
%EventDef PajePushState 11
% Time date
% Container string
% Type string
% Value string
%EndEventDef
%EventDef PajePopState 12
% Time date
% Container string
% Type string
%EndEventDef
0 P 0 Process
0 T P Thread
1 S T Function
6 0.0 p P 0 program
""" + "".join(f"6 0.0 t{k} T p thread{k}\n" for k in range(8))


def paje(i):
    t = 5 * (i // 8)
    return (f"11 {t // 10**6}.{t % 10**6:06}000 t{i % 8} S function_{i % 50}\n"
            f"12 {(t + 4) // 10**6}.{(t + 4) % 10**6:06}000 t{i % 8} S\n")


def pj_dump(i):
    t = 5 * (i // 8)
    return (f"State, thread{i % 8}, Function, {t // 10**6}.{t % 10**6:06}, {(t + 4) // 10**6}.{(t + 4) % 10**6:06}, 0.000004, "
            f"0.000000, function_{i % 50}\n")


def message_json(i):
    return (f'{{"MessageId": {i}, "Event": "send", "Time": {20 * i}, "Sender": "app/0x{i % 7:x}", "Receiver": "app/0x{i % 9:x}", '
            f'"MessageType": "0x{i % 16:x}", "Priority": 3, "MessageData": "0A 0B 0C 0D"}}\n'
            f'{{"MessageId": {i}, "Event": "receive", "Time": {20 * i + 9}, "Receiver": "app/0x{i % 9:x}"}}\n')


def message_xml(i):
    return (f"<MessageEvent><MessageId>{i}</MessageId><Time>{20 * i}</Time><Sender>0x{i % 7:x}</Sender>"
            f"<Receiver>0x{i % 9:x}</Receiver><Priority>25</Priority><MessageData>0A 0B 0C 0D</MessageData></MessageEvent>\n")


def clock(us, form="{:02}:{:02}:{:02}.{:06}"):
    seconds, fraction = divmod(us, 1_000_000)
    return form.format(seconds // 3600 % 24, seconds // 60 % 60, seconds % 60, fraction)


def item(i, value):
    """An element of an array of JSON."""
    return f"{',' if i else ''}\n{json.dumps(value, separators=(',', ':'))}"


def plain_item(i, value):
    return f",{value}" if i else f"{value}"


def chrome_json(i):
    return item(i, {"pid": 4242, "tid": 100 + i % 8, "ts": 1000 + 11 * i // 8, "ph": "X", "cat": "toplevel,ipc",
                    "name": f"RunTask{i % 97}", "dur": 9, "tdur": 8, "tts": 500 + 10 * i // 8,
                    "args": {"src_file": "../../ipc/proxy.cc", "src_func": f"Accept{i % 31}"}})


def logged_events(i):
    return (f'2026-01-01 {clock(1000 * i)} INFO {{"ts":"{1000 + i * 5}.{i % 1000:03}","ph":"{"BE"[i % 2]}","tid":{1 + i // 2 % 4},'
            f'"pid":1,"name":"step {i // 2 % 50}","args":{{"size":{i % 999}}}}}\n')


def logcat(i):
    return (f"11-24 {clock(733 * i)[:-3]}  {226 + i % 5}  {300 + i % 11} {'VDIWE'[i % 5]} ActivityManager{i % 20}: "
            f"Start proc {500 + i}:com.example.app{i % 9}/u0a63 for activity\n")


def syslog(i):
    return (f"Nov 24 {clock(20000 * i)[:8]} alpha program{i % 20}[{1000 + i % 90}]: "
            f"connection {i} of user root is closed by 10.0.{i % 200}.7 port {i % 60000}\n")


def journal_json(i):
    return json.dumps({
        "__REALTIME_TIMESTAMP": str(1700000000000000 + 1231 * i), "__CURSOR": f"s=0639a1;i={i:x};b=8f2ee0;m={i * 31:x}",
        "__MONOTONIC_TIMESTAMP": str(1231 * i), "_BOOT_ID": "8f2ee0a6b9d44d1ba4a0b2c5b3c9a0f1", "_HOSTNAME": "alpha",
        "SYSLOG_IDENTIFIER": f"service{i % 20}", "_PID": str(1000 + i % 90), "PRIORITY": "6", "_UID": "0", "_GID": "0",
        "_SYSTEMD_UNIT": f"service{i % 20}.service", "_TRANSPORT": "stdout", "_CMDLINE": "/usr/sbin/service --no-detach",
        "MESSAGE": f"connection {i} of user root is closed"}) + "\n"


def journal_export(i):
    return (f"__CURSOR=s=0639a1;i={i:x};b=8f2ee0\n__REALTIME_TIMESTAMP={1700000000000000 + 1231 * i}\n"
            f"__MONOTONIC_TIMESTAMP={1231 * i}\n_BOOT_ID=8f2ee0a6b9d44d1ba4a0b2c5b3c9a0f1\n_HOSTNAME=alpha\n"
            f"SYSLOG_IDENTIFIER=service{i % 20}\n_PID={1000 + i % 90}\nPRIORITY=6\n_UID=0\n_GID=0\n"
            f"_SYSTEMD_UNIT=service{i % 20}.service\nMESSAGE=connection {i} of user root is closed\n\n")


def otlp_span(i):
    begin = 1544712660000000000 + 1000 * i
    return {"traceId": f"{i // 8:032x}", "spanId": f"{i + 1:016x}", "parentSpanId": f"{i:016x}" if i % 8 else "",
            "flags": 257, "name": f"GET /items/{i % 40}", "kind": 2 + i % 2, "startTimeUnixNano": str(begin),
            "endTimeUnixNano": str(begin + 900 - i % 8 * 100),
            "attributes": [{"key": "http.request.method", "value": {"stringValue": "GET"}},
                           {"key": "http.response.status_code", "value": {"intValue": "200"}},
                           {"key": "server.address", "value": {"stringValue": f"host{i % 9}.example.org"}},
                           {"key": "thread.id", "value": {"intValue": str(i % 16)}}],
            "events": [{"timeUnixNano": str(begin + 50), "name": "sent", "attributes": [
                {"key": "bytes", "value": {"intValue": str(i % 4096)}}]}], "status": {}}


def otlp(i):
    """As the collector's exporter of files writes it: a batch a line."""
    return json.dumps({"resourceSpans": [{
        "resource": {"attributes": [{"key": "service.name", "value": {"stringValue": f"service{i % 5}"}},
                                    {"key": "host.name", "value": {"stringValue": "alpha"}}]},
        "scopeSpans": [{"scope": {"name": "http", "version": "1.2"},
                        "spans": [otlp_span(8 * i + k) for k in range(8)]}]}]}, separators=(",", ":")) + "\n"


def jaeger_span(i):
    return {"traceID": f"{i // 8:032x}", "spanID": f"{i + 1:016x}", "flags": 1, "operationName": f"GET /items/{i % 40}",
            "references": [{"refType": "CHILD_OF", "traceID": f"{i // 8:032x}", "spanID": f"{i:016x}"}] if i % 8 else [],
            "startTime": 1544712660000000 + i, "duration": 900 - i % 8 * 100,
            "tags": [{"key": "span.kind", "type": "string", "value": "client"},
                     {"key": "http.status_code", "type": "int64", "value": 200},
                     {"key": "http.url", "type": "string", "value": f"http://host{i % 9}/items"}],
            "logs": [{"timestamp": 1544712660000005 + i, "fields": [{"key": "event", "type": "string", "value": "sent"}]}],
            "processID": f"p{i % 2}", "warnings": None}


def jaeger(i):
    """As Jaeger's page saves it."""
    processes = {f"p{k}": {"serviceName": f"service{k}", "tags": []} for k in range(2)}
    return item(i, {"traceID": f"{i:032x}", "spans": [jaeger_span(8 * i + k) for k in range(8)], "processes": processes})


def zipkin(i):
    return item(i, [{"traceId": f"{i:032x}", "id": f"{8 * i + k + 1:016x}", **({"parentId": f"{8 * i + k:016x}"} if k else {}),
                     "kind": "CLIENT", "name": f"get /items/{(8 * i + k) % 40}",
                     "timestamp": 1544712660000000 + 8 * i + k, "duration": 900 - k,
                     "localEndpoint": {"serviceName": f"service{k % 3}", "ipv4": "10.0.0.7"},
                     "annotations": [{"timestamp": 1544712660000005 + 8 * i + k, "value": "ws"}],
                     "tags": {"http.path": "/items", "http.status_code": "200"}} for k in range(8)])


def har(i):
    headers = [{"name": f"x-header-{k}", "value": f"the value of header {k}"} for k in range(12)]
    second, ms = divmod(17 * i, 1000)
    return item(i, {
        "_priority": "High", "_resourceType": "script", "pageref": "page_1", "time": 10.5,
        "startedDateTime": f"2024-01-15T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}.{ms:03}Z",
        "request": {"method": "GET", "url": f"https://host{i % 9}.example.org/scripts/{i}.js?v=17", "httpVersion": "h2",
                    "headers": headers, "queryString": [{"name": "v", "value": "17"}], "cookies": [], "headersSize": -1,
                    "bodySize": 0},
        "response": {"status": 200, "statusText": "", "httpVersion": "h2", "headers": headers, "cookies": [],
                     "content": {"size": 1234 + i % 99, "mimeType": "text/javascript"}, "redirectURL": "",
                     "headersSize": -1, "bodySize": -1}, "cache": {}, "serverIPAddress": "93.184.216.34",
        "timings": {"blocked": 1, "dns": -1, "ssl": -1, "connect": -1, "send": 0.5, "wait": 7.25, "receive": 1.75}})


def erlang(i):
    t, pid = 20 * i, f"<0.{80 + i % 9}.0>"
    stamp = f"{{1795,{224132 + t // 1_000_000},{t % 1_000_000}}}"
    return (f"{{trace_ts,{pid},in,{{gen_server,loop,7}},{stamp}}}.\n{{trace_ts,{pid},call,{{work,step{i % 30},[{i},\"a, b\"]}},{stamp}}}.\n"
            f"{{trace_ts,{pid},return_from,{{work,step{i % 30},2}},ok,{stamp}}}.\n{{trace_ts,{pid},out,{{gen_server,loop,7}},{stamp}}}.\n")


def mscgen(i):
    return (f'  a -> b [label="request {i % 90}", linecolour="blue"];\n  b => c [label="query {i % 50}"];\n'
            '  c >> b [label="rows"];\n  b >> a;\n')


def kanata(i):
    return (f"I\t{i}\t{i}\t0\nL\t{i}\t0\t{0x12000 + 4 * (i % 4096):08x}: add x{i % 31}, x{i % 29}, x2\nS\t{i}\t0\tF\nC\t1\n"
            f"S\t{i}\t0\tDc\n" + (f"S\t{i - 1}\t0\tX\nR\t{i - 1}\t{i - 1}\t0\n" if i else ""))


def btf(i):
    core, task, t = f"Core_{i % 2}", f"TASK_{i % 6}", 10 * i
    return (f"{t},{core},0,T,{task},{i // 6},start\n{t + 1},{task},{i // 6},R,Runnable_{i % 40},{i},start\n"
            f"{t + 5},{task},{i // 6},R,Runnable_{i % 40},{i},terminate\n{t + 6},{core},0,T,{task},{i // 6},terminate\n")


def ctf_text(i):
    t = 36_000_000_000_000 + 1234 * i
    at = f"[{clock(t // 1000)}{t % 1000:03}] (+0.000001234) alpha "
    return at + (
        f'sched_switch: {{ cpu_id = {i % 4} }}, {{ prev_comm = "swapper/{i % 4}", prev_tid = 0, prev_prio = 20, prev_state = 0, '
        f'next_comm = "writer{i % 7}", next_tid = {41 + i % 7}, next_prio = 20 }}\n',
        f"syscall_entry_write: {{ cpu_id = {i % 4} }}, {{ fd = 3, buf = 0x7F0012345678, count = {i % 4096} }}\n",
        f"syscall_exit_write: {{ cpu_id = {i % 4} }}, {{ ret = {i % 4096} }}\n",
        f'irq_handler_entry: {{ cpu_id = {i % 4} }}, {{ irq = 23, name = "timer" }}\n',
        f"irq_handler_exit: {{ cpu_id = {i % 4} }}, {{ irq = 23, ret = 1 }}\n")[i // 4 % 5]


def perf_json(i):
    return item(i, {"timestamp": 1000000 + 250000 * i, "pid": 7, "tid": 8 + i % 3, "comm": "worker", "callchain": [
        {"ip": f"0x{0x401000 + (i * 7 + k) % 97:x}", "symbol": f"function_{(i * 7 + k) % 97}", "dso": "libwork.so"}
        for k in range(2 + i % 6)]})


def perf_stat(i):
    events = ("cycles", "instructions", "branches", "branch-misses")
    return (f"     {i // 4}.000{100000 + i // 4 % 9 * 7919}     {12345678 + i * 7919:>16,}      {events[i % 4]:<24}  "
            "#    2.100 GHz                      (75.05%)\n")


def perf_sched_map(i):
    tasks = [f"{chr(65 + (i + k) % 26)}{(i + k) % 8}" for k in range(4)]
    row = "".join(f" {'*' if k == i % 4 else ' '}{task}" for k, task in enumerate(tasks))
    return f"  {row}   {1000 + i // 100000}.{i % 100000 * 10:06} secs " + (f"{tasks[i % 4]} => task{i}:{1000 + i}\n" if i < 208 else "\n")


def perf_trace(i):
    return (f"{i * 13 / 1000:10.3f} ({0.001 * (i % 900):6.3f} ms): worker/{4000 + i % 5} openat(dfd: CWD, filename: "
            f"\"/usr/lib/file{i % 50}.so\", flags: RDONLY|CLOEXEC) = {i % 200}\n")


def blkparse(i):
    op = "QGIDC"[i % 5]
    seconds, ns = divmod(i * 2000, 1_000_000_000)
    return f"  8,0    {i % 4} {i:>8} {seconds:>5}.{ns:09}   697  {op}   W {223490 + i // 5 * 8} + 8 [kjournald]\n"


def sysdig(i):
    t = 36_000_000_000_000 + 700 * i
    return (f"{i} {clock(t // 1000)}{t % 1000:03} {i % 4} httpd ({7513 + i // 2 % 5}) {'><'[i % 2]} read "
            + ("fd=3(<4t>10.0.2.2:42210->10.0.2.15:80) size=8000\n", f"res={i % 8000} data=GET /index.html\n")[i % 2])


def candump(i):
    t = 1_436_509_052_000_000 + 120 * i
    return f"({t // 1_000_000}.{t % 1_000_000:06}) can{i % 2} {i % 60 + 0x100:03X}#{i * 0x9E3779B97F4A7C15 % 2**64:016X}\n"


def tcpdump(i):
    return (f"{clock(36_000_000_000 + 37 * i)} IP 192.168.1.{i % 9}.51234 > 93.184.216.34.443: Flags [P.], seq {i}:{i + 100}, "
            f"ack {i % 9999}, win 64240, length 100\n")


def gstreamer(i):
    t = 1_000_000 + 1700 * i
    return (f"{clock(t // 1000, '{:01}:{:02}:{:02}.{:06}')}{t % 1000:03}  4711 0x55aa{i % 5:02} {('INFO ', 'DEBUG', 'LOG  ')[i % 3]}  "
            f"          GST_STATES gstelement.c:{2816 + i % 90}:gst_element_continue_state:<sink{i % 7}> completed state change to READY\n")


FRAMES = [{"name": f"function_{k}", "file": f"src/part_{k % 50}.cc", "line": 7 * k} for k in range(997)]


def speedscope_sample(i):
    return plain_item(i, "[" + ",".join(str((31 * (i // 5) + 7 * k) % 997) for k in range(4 + i // 5 % 9)) + "]")


def firefox_stacks():
    """Each stack is called by the one of half its number, as the frames of a tree."""
    return {"length": 997, "prefix": [None] + [(k - 1) // 2 for k in range(1, 997)], "frame": list(range(997))}


FIREFOX_TABLES = json.dumps({
    "stringArray": [f"function_{k}" for k in range(997)], "stackTable": firefox_stacks(),
    "frameTable": {"length": 997, "func": list(range(997))},
    "funcTable": {"length": 997, "name": list(range(997)), "resource": [-1] * 997, "fileName": [None] * 997},
    "resourceTable": {"length": 0, "name": [], "lib": []}})[1:]


def cpu_profile_nodes():
    return [{"id": k + 1, "callFrame": {"functionName": f"function{k}", "scriptId": str(k % 20), "url": f"file:///app/{k % 20}.js",
                                       "lineNumber": k, "columnNumber": 3}, "hitCount": 1,
             "children": [c + 1 for c in (2 * k + 1, 2 * k + 2) if c < 997]} for k in range(997)]


def massif(i):
    deep = "".join(f"{' ' * k}n1: {900000 + i} 0x{0x401000 + 16 * k:X}: function_{(i * 7 + k) % 97} (part.c:{k})\n" for k in range(6))
    return (f"#-----------\nsnapshot={i}\n#-----------\ntime={17 * i}\nmem_heap_B={1000000 + i}\nmem_heap_extra_B=24\nmem_stacks_B=0\n"
            + ("heap_tree=empty\n" if i % 10 else f"heap_tree=detailed\n{deep}{' ' * 6}n0: 900000 0x4010CB2: main (main.c:9)\n"))


def heap_of_ghc(i):
    at = f"{i // 1000}.{i % 1000:03}000"
    return f"BEGIN_SAMPLE {at}\n" + "".join(f"({100 + k})function_{k}/main\t{1000 * k + i}\n" for k in range(20)) + f"END_SAMPLE {at}\n"


def dhat(i):
    return item(i, {"tb": 640 + i, "tbk": 10, "tl": 14370, "mb": 640, "mbk": 10, "gb": 640, "gbk": 10, "eb": 64, "ebk": 1,
                    "rb": 10, "wb": 80, "acc": [-8, 10, -56, 0], "fs": [(i * 7 + k) % 997 for k in range(8)]})


def v8_log(i):
    stack = ",".join(hex(0x3370588a000 + 4096 * ((i // 3 + 7 * k) % 97) + 16) for k in range(8))
    return f"tick,{hex(0x3370588a000 + 4096 * (i % 97) + 32)},{1000 * (i + 1)},0,0x0,0,{stack}\n"


def gdb_stacks(i):
    def frame(k):
        function = (i // 3 + 7 * k) % 97
        return f"#{k}  0x{0x401000 + function:016x} in function_{function} (n={i}, p=0x7ffd{i:04x}) at src/part.c:{k}\n"
    frames = "".join(frame(k) for k in range(8))
    return "".join(f"Thread {t} (Thread 0x7f{t} (LWP {100 + t})):\n{frames}\n" for t in (2, 1))


def bpftrace_stacks(i):
    return "@[\n" + "".join(f"    function_{(i + 7 * k) % 997}+{8 * k}\n" for k in range(9)) + f"]: {1 + i % 50}\n"


def jstack(i):
    frames = "".join(f"\tat com.example.part{(i // 3 + k) % 9}.Worker.step{k}(Worker.java:{10 + k})\n" for k in range(9))
    return (f"2024-05-13 {clock(1_000_000 * i)[:8]}\nFull thread dump OpenJDK 64-Bit Server VM (17.0.1+12 mixed mode):\n\n"
            + "".join(f'"worker-{t}" #{t} prio=5 os_prio=0 cpu=1.50ms tid=0x00007f{t:02} nid=0xe{t:02} runnable [0x00007f28]\n'
                      f"   java.lang.Thread.State: RUNNABLE\n{frames}\n" for t in range(4)))


def stackprof(i):
    return plain_item(i, "8," + ",".join(str(1000 + (i // 3 * 7 + k) % 997) for k in range(8)) + ",1")


def callgrind(i):
    return (f"fn=({i % 997 + 1})\n" + f"{10 * (i // 997 % 40)} 5 1\n" + "".join(f"+1 {3 + k} {i % 50}\n" for k in range(4))
            + f"cfn=({(i * 7 + 1) % 997 + 1})\ncalls=1 20\n+1 600 20\n")


def webkit_timeline(i):
    t = i / 4000
    return item(i, {"type": "timeline-record-type-script", "startTime": t, "endTime": t + 0.0002, "eventType": "script-evaluated",
                    "details": f"https://example.org/{i % 40}.js", "extraDetails": None})


def ghc_profile(i):
    return f"{' ' * (1 + i % 9)}step{i % 97:<10} Work   src/Work.hs:{i % 400}:1-20 {101 + i:>8} {i % 5000:>10}    0.1    0.2    0.1    0.2\n"


def jvm_log(i):
    t = f"[{i // 100}.{i % 100:02}0s]"
    return (f"{t}[info][gc,start    ] GC({i}) Pause Young (Normal) (G1 Evacuation Pause)\n"
            f"{t}[info][gc,heap     ] GC({i}) Eden regions: 19->0(33)\n"
            f"{t}[info][gc,metaspace] GC({i}) Metaspace: 20679K(20800K)->20679K(20800K)\n"
            f"{t}[info][gc          ] GC({i}) Pause Young (Normal) (G1 Evacuation Pause) 19M->4M(64M) 10.709ms\n")


def papyrus(i):
    call = f"{3000 + i % 7}:1:quest ({24021278 + i % 7:08X}):quest..step{i % 40}"
    return f"{500 + 2 * i}:PUSH:{call}\n{501 + 2 * i}:POP:{call}\n"


def xdebug(i):
    at, memory = f"{i * 10 // 1_000_000}.{i * 10 % 1_000_000:06}", 114272 + i % 4096
    return (f"2\t{i + 2}\t0\t{at}\t{memory}\tstr_split{i % 40}\t0\t\t/srv/trace.php\t{i % 200}\t2\t'ab'\t1\n"
            f"2\t{i + 2}\t1\t{at}\t{memory}\n2\t{i + 2}\tR\t\t\t['a', 'b']\n")


def projections(i):
    t, entry = 10 * i, 7 + i % 30
    return f"1 5 {entry} {t} {i} 0 64 1\n2 5 {entry} {t + 1} {i} 0 64 0 8 9 2\n3 5 {entry} {t + 7} {i} 0 64 3\n"


def flame_svg(i):
    return (f'<g><title>function_{i % 997} ({1 + i % 50:,} samples, 0.02%)</title>'
            f'<rect x="{0.01 * (i % 100000):.4f}%" y="{36 + 16 * (i // 100000)}" width="0.0100%" height="15" fill="rgb(227,0,7)" fg:x="{i % 100000}" fg:w="1"/><text x="1" y="2">f</text></g>\n')


SIGNALS = "".join(f"$var wire {1 if k < 43 else 16} {chr(33 + k)} signal{k} $end\n" for k in range(87))

FORMATS = {
    "strace": (strace,),
    "tlv": (tlv,),
    "ftrace": ("# tracer: nop\n#\n", ftrace),
    "perf-script": (perf_script,),
    "folded": (folded,),
    "paraver": ("#Paraver (20/04/2016 at 11:15):99999999999_ns:1(8):1:8(" + ",".join(["1:1"] * 8) + ")\n", paraver),
    "btrace": ("# time_base: us\n", btrace),
    "shiviz": (shiviz,),
    "ninja-log": ("# ninja log v6\n", ninja_log),
    "csv": ("category,time,lane,type,duration,depth,target_lane,target_time,value,params,payload\n", csv),
    "vcd": (f"$timescale 1 ns $end\n$scope module top $end\n{SIGNALS}$upscope $end\n$enddefinitions $end\n", vcd),
    "paje": (PAJE_HEADER, paje),
    "pj-dump": ("Container, 0, 0, 0, 99, 99, 0\n" + "".join(f"Container, 0, Thread, 0.0, 99.0, 99.0, thread{k}\n" for k in range(8)),
                pj_dump),
    "message-json": (message_json,),
    "message-xml": ("<MessageEvents>\n", message_xml, "</MessageEvents>\n"),
    "chrome-json": ('{"traceEvents":[', chrome_json, "]}\n"),
    "logged-events": (logged_events,),
    "logcat": ("--------- beginning of main\n", logcat),
    "syslog": (syslog,),
    "journal/json": (journal_json,),
    "journal/export": (journal_export,),
    "spans/otlp": (otlp,),
    "spans/jaeger": ('{"data":[', jaeger, "]}\n"),
    "spans/zipkin": ("[", zipkin, "]\n"),
    "har": ('{"log":{"version":"1.2","creator":{"name":"WebInspector","version":"537.36"},"pages":[],"entries":[', har, "]}}\n"),
    "erlang": (erlang,),
    "mscgen": ("msc {\n  a, b, c;\n", mscgen, "}\n"),
    "kanata": ("Kanata\t0004\nC=\t0\n", kanata),
    "btf": ("#version 2.2.0\n#timeScale us\n", btf),
    "ctf-text": (ctf_text,),
    "perf-json": ('{"linux-perf-json-version":1,"headers":{"hostname":"board"},"samples":[', perf_json, "]}\n"),
    "perf-stat": ("# started on Mon Nov 23 10:00:00 2026\n\n#           time             counts unit events\n", perf_stat),
    "perf-sched-map": (perf_sched_map,),
    "tool-output/perf trace": (perf_trace,),
    "tool-output/blkparse": (blkparse,),
    "tool-output/sysdig": (sysdig,),
    "tool-output/candump": (candump,),
    "tool-output/tcpdump": (tcpdump,),
    "gstreamer": (gstreamer,),
    "speedscope": ('{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":' + json.dumps(FRAMES)
                   + '},"profiles":[{"type":"sampled","name":"main","unit":"microseconds","startValue":0,"endValue":99999999,"samples":[',
                   speedscope_sample, '],"weights":[', lambda i: plain_item(i, 100 + i % 9), "]}]}\n"),
    "firefox": ('{"meta":{"version":24,"preprocessedProfileVersion":48,"interval":1,"startTime":5,"stackwalk":1,"product":"Firefox",'
                '"categories":[]},"libs":[],"threads":[{"name":"GeckoMain","processType":"default","pid":"12",'
                '"tid":13,"samples":{"stack":[',
                lambda i: plain_item(i, i // 4 * 7 % 997), '],"time":[', lambda i: plain_item(i, f"{i}.{i % 1000:03}125"),
                '],"threadCPUDelta":[', lambda i: plain_item(i, 990 + i % 20), '],"weight":null}, ' + FIREFOX_TABLES + "]}\n"),
    "cpu-profile": ('{"nodes":' + json.dumps(cpu_profile_nodes(), separators=(",", ":"))
                    + ',"startTime":1000,"endTime":99999999,"samples":[', lambda i: plain_item(i, i // 4 * 7 % 997 + 1), '],"timeDeltas":[',
                    lambda i: plain_item(i, 120 + i % 9), "]}\n"),
    "flame-svg": ('<?xml version="1.0" standalone="no"?><!--See http://www.brendangregg.com/flamegraphs.html-->'
                  '<svg version="1.1" width="1200" height="86"><svg id="frames" x="10" width="1180">\n',
                  flame_svg, "</svg></svg>\n"),
    "heap-text/massif": ("desc: --massif-out-file=massif.out\ncmd: ./st\ntime_unit: ms\n", massif),
    "heap-text/ghc": ('JOB "h +RTS -hT"\nDATE "Thu Nov 26 01:10 2026"\nSAMPLE_UNIT "seconds"\nVALUE_UNIT "bytes"\n', heap_of_ghc),
    "dhat": ('{"dhatFileVersion":2,"mode":"heap","verb":"Allocated","bklt":true,"bkacc":true,"tu":"instrs","Mtu":"Minstr","tuth":500,'
             '"cmd":"./app","pid":42,"te":9000,"tg":8000,"pps":[', dhat, '],"ftbl":'
             + json.dumps(["[root]"] + [f"0x{0x401000 + k:X}: function_{k} (part.c:{k})" for k in range(996)]) + "}\n"),
    "v8-log": ("v8-version,11,3,244,8,-node.38,0\nv8-platform,linux,linux\nshared-library,/usr/bin/node,0x400000,0xb71000,0\n"
               + "".join(f"code-creation,JS,10,{k},{hex(0x3370588a000 + 4096 * k)},4000,function{k} /srv/fib.js:{k}:1,{hex(0x33705880000 + k)},~\n"
                         for k in range(97)), v8_log),
    "stack-text/gdb": (gdb_stacks,),
    "stack-text/bpftrace": ("Attaching 1 probe...\n\n", bpftrace_stacks),
    "stack-text/jstack": (jstack,),
    "stackprof": ('{"version":1.2,"mode":"cpu","interval":1000,"samples":3,"gc_samples":0,"missed_samples":0,"frames":{'
                  + ",".join(f'"{1000 + k}":{{"name":"Part#step{k}","file":"a.rb"}}' for k in range(997)) + '},"raw":[', stackprof,
                  '],"raw_timestamp_deltas":[', lambda i: plain_item(i, 1000 + i % 9), "]}\n"),
    "callgrind": ("# callgrind format\nversion: 1\ncreator: callgrind\npositions: line\nevents: Ir Dr\n\n"
                  + "".join(f"fl=({k}) part_{k}.c\n" for k in range(1, 20)) + "".join(f"fn=({k}) function_{k}\n1 1 1\n" for k in range(1, 998)),
                  callgrind),
    "ghc-profile": ("\tFri Jul 27 23:05 2018 Time and Allocation Profiling Report  (Final)\n\n\t   tree +RTS -p -RTS 12 16\n\n"
                    "\ttotal time  =        0.20 secs   (200 ticks @ 1000 us, 1 processor)\n"
                    "\ttotal alloc =     112,632 bytes  (excludes profiling overheads)\n\nCOST CENTRE MODULE SRC                 %time %alloc\n\n"
                    "insert      Tree   src/Tree.hs:9:1-20   60.0   43.6\n\n\n"
                    "                                                                individual      inherited\n"
                    "COST CENTRE   MODULE          SRC                    no.     entries  %time %alloc   %time %alloc\n\n"
                    "MAIN          MAIN   <built-in> 100          0    0.1    0.2  100.0  100.0\n", ghc_profile),
    "webkit-timeline": ('{"version":1,"recording":{"displayName":"Recording 1","startTime":0,"endTime":999999,"records":[', webkit_timeline,
                        "]}}\n"),
    "jvm-log": ("[0.001s][info][gc     ] Using G1\n", jvm_log),
    "papyrus": ("Script_quest log opened (PC)\n", papyrus, "Log closed\n"),
    "xdebug": ("Version: 3.1.0\nFile format: 4\nTRACE START [2007-05-06 18:29:01.123456]\n1\t0\t0\t0.000000\t114112\t{main}\t1\t\t../trace.php\t0\t0\n",
               xdebug),
    "projections": ("PROJECTIONS-RECORD 6\n6 0\n", projections),
}


def make(path, name, size):
    """About `size` bytes of the format, the same each time."""
    lines = [part for part in FORMATS[name] if callable(part)]
    average = sum(len(line(i)) for line in lines for i in range(1, 1001)) / 1000
    with open(path + ".part", "w") as out:
        for part in FORMATS[name]:
            out.write(part) if isinstance(part, str) else out.writelines(map(part, range(int(size / average))))
    os.rename(path + ".part", path)
