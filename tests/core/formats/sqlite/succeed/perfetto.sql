-- What the trace processor exports, its own tables only.
CREATE TABLE process (id INTEGER, upid INTEGER, pid INTEGER, name TEXT);
INSERT INTO process VALUES (0, 0, 0, NULL), (1, 1, 500, 'server'), (2, 2, 600, 'client');
CREATE TABLE thread (id INTEGER, utid INTEGER, tid INTEGER, name TEXT, upid INTEGER);
INSERT INTO thread VALUES (0, 0, 0, 'swapper', 0), (1, 1, 501, 'worker', 1), (2, 2, 502, NULL, 1);
CREATE TABLE track (id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO track VALUES (1, 'worker'), (2, 'request'), (3, 'mem.rss'), (4, NULL),
  (5, 'mem.rss'), (6, 'cpufreq'), (7, 'cpufreq'), (8, 'request'), (9, 'request'), (10, 'heat'), (11, 'heat');
CREATE TABLE thread_track (id INTEGER PRIMARY KEY, name TEXT, utid INTEGER);
INSERT INTO thread_track VALUES (1, NULL, 1), (4, NULL, 2);
CREATE TABLE process_track (id INTEGER PRIMARY KEY, name TEXT, upid INTEGER);
INSERT INTO process_track VALUES (2, 'request', 1), (8, 'request', 2), (9, 'request', 2);
CREATE TABLE process_counter_track (id INTEGER PRIMARY KEY, name TEXT, upid INTEGER);
INSERT INTO process_counter_track VALUES (3, 'mem.rss', 1), (5, 'mem.rss', 2);
CREATE TABLE cpu_counter_track (id INTEGER PRIMARY KEY, name TEXT, cpu INTEGER);
INSERT INTO cpu_counter_track VALUES (6, 'cpufreq', 0), (7, 'cpufreq', 1);
CREATE TABLE slice (id INTEGER PRIMARY KEY, ts INTEGER, dur INTEGER, track_id INTEGER,
  category TEXT, name TEXT, depth INTEGER, arg_set_id INTEGER);
INSERT INTO slice VALUES (1, 100, 50, 1, 'net', 'read', 0, 1), (2, 110, 20, 1, 'net', 'parse', 1, 1),
  (3, 100, 200, 2, 'net', 'request', 0, NULL), (4, 160, -1, 4, 'io', NULL, 0, 2), (5, 170, 0, 1, 'io', 'mark', 0, NULL),
  (6, 120, 200, 8, 'net', 'request', 0, 3), (7, 130, 200, 9, 'net', 'request', 0, NULL);
CREATE TABLE sched_slice (id INTEGER PRIMARY KEY, ts INTEGER, dur INTEGER, cpu INTEGER,
  utid INTEGER, end_state TEXT);
INSERT INTO sched_slice VALUES (1, 90, 70, 0, 1, 'S'), (2, 160, 40, 0, 0, 'R'), (3, 200, 10, 1, 2, NULL);
CREATE TABLE counter (id INTEGER PRIMARY KEY, ts INTEGER, track_id INTEGER, value REAL);
INSERT INTO counter VALUES (1, 100, 3, 1024.5), (2, 200, 3, 2048), (3, 100, 5, 4096),
  (4, 100, 6, 1000), (5, 110, 7, 2000), (6, 120, 10, 40), (7, 120, 11, 50);
CREATE TABLE flow (id INTEGER PRIMARY KEY, slice_out INTEGER, slice_in INTEGER);
INSERT INTO flow VALUES (1, 1, 6);
CREATE TABLE args (id INTEGER PRIMARY KEY, arg_set_id INTEGER, flat_key TEXT, key TEXT, int_value INTEGER,
  string_value TEXT, real_value REAL, value_type TEXT);
INSERT INTO args VALUES (1, 1, 'debug.path', 'debug.path', NULL, '/a "b"', NULL, 'string'),
  (2, 1, 'args.bytes', 'args.bytes', 7, NULL, NULL, 'int'), (3, 2, 'is_async', 'is_async', 1, NULL, NULL, 'bool'),
  (4, 2, 'debug.at', 'debug.at', 4096, NULL, NULL, 'pointer'), (5, 2, 'debug.heat', 'debug.heat', NULL, NULL, 9e999, 'real'),
  (6, 2, 'debug.list', 'debug.list[0]', NULL, NULL, 1.5, 'real'), (7, 2, 'debug.all', 'debug.all', NULL, '{"a":[1]}', NULL, 'json'),
  (8, 9, 'cpu', 'cpu', 1, NULL, NULL, 'int');
CREATE TABLE thread_state (id INTEGER PRIMARY KEY, ts INTEGER, dur INTEGER, cpu INTEGER, utid INTEGER, state TEXT,
  io_wait INTEGER, blocked_function TEXT, waker_utid INTEGER);
INSERT INTO thread_state VALUES (1, 90, 70, 0, 1, 'Running', NULL, NULL, NULL), (2, 160, 30, NULL, 1, 'D', 1, 'wait_on_page', NULL),
  (3, 190, 5, NULL, 1, 'R', NULL, NULL, 2), (4, 195, -1, 0, 1, 'Running', NULL, NULL, NULL), (5, 0, 400, 0, 0, 'Running', NULL, NULL, NULL),
  (6, 210, 10, NULL, 2, 'R+', NULL, NULL, NULL), (7, 220, 10, NULL, 2, '?', NULL, NULL, NULL);
CREATE TABLE android_logs (id INTEGER PRIMARY KEY, ts INTEGER, utid INTEGER, prio INTEGER, tag TEXT, msg TEXT);
INSERT INTO android_logs VALUES (1, 140, 1, 4, 'Net', 'it''s "open"'), (2, 141, NULL, 4, NULL, 'from nobody');
CREATE TABLE raw (id INTEGER PRIMARY KEY, ts INTEGER, name TEXT);
INSERT INTO raw VALUES (1, 100, 'sched_switch'), (2, 101, 'sched_waking');
