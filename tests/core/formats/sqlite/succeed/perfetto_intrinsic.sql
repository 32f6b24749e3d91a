-- Newer versions: a track says whose it is, its CPU is among the arguments.
CREATE TABLE __intrinsic_process (id INTEGER, upid INTEGER, pid INTEGER, name TEXT);
INSERT INTO __intrinsic_process VALUES (1, 1, 500, 'server'), (2, 2, 600, 'client');
CREATE TABLE __intrinsic_thread (id INTEGER, utid INTEGER, tid INTEGER, name TEXT, upid INTEGER);
INSERT INTO __intrinsic_thread VALUES (1, 1, 501, 'worker', 1), (2, 2, 502, 'helper', 1);
CREATE TABLE __intrinsic_track (id INTEGER, name TEXT, type TEXT, dimension_arg_set_id INTEGER,
  utid INTEGER, upid INTEGER);
INSERT INTO __intrinsic_track VALUES (1, 'worker', 'thread', NULL, 1, NULL),
  (2, 'cpufreq', 'cpu_frequency', 21, NULL, NULL), (3, 'cpufreq', 'cpu_frequency', 22, NULL, NULL),
  (4, 'mem.rss', 'process_memory', 23, NULL, 1), (5, 'mem.rss', 'process_memory', 24, NULL, 2),
  (6, 'heap', 'thread_counter', 25, 1, NULL), (7, 'heap', 'thread_counter', 26, 2, NULL);
CREATE TABLE __intrinsic_args (id INTEGER, arg_set_id INTEGER, key TEXT, int_value INTEGER);
INSERT INTO __intrinsic_args VALUES (1, 21, 'cpu', 0), (2, 22, 'cpu', 1), (3, 99, 'cpu', 7);
CREATE TABLE __intrinsic_slice (id INTEGER, ts INTEGER, dur INTEGER, track_id INTEGER, category TEXT, name TEXT);
INSERT INTO __intrinsic_slice VALUES (1, 100, 50, 1, 'net', 'read');
CREATE TABLE __intrinsic_counter (id INTEGER, ts INTEGER, track_id INTEGER, value REAL);
INSERT INTO __intrinsic_counter VALUES (1, 100, 2, 1000), (2, 101, 3, 2000), (3, 102, 4, 1), (4, 103, 5, 2),
  (5, 104, 6, 3), (6, 105, 7, 4);
