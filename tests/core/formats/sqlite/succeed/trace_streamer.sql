CREATE TABLE trace_range (start_ts INT, end_ts INT);
INSERT INTO trace_range VALUES (1000, 2000);
CREATE TABLE process (id INT, type TEXT, pid INT, name TEXT, start_ts INT);
INSERT INTO process VALUES (0, 'process', 0, NULL, NULL), (1, 'process', 500, 'com.example', 1000);
CREATE TABLE thread (id INT, type TEXT, tid INT, name TEXT, start_ts INT, end_ts INT, ipid INT,
  is_main_thread INT);
INSERT INTO thread VALUES (0, 'thread', 0, 'swapper/0', NULL, NULL, NULL, NULL),
  (1, 'thread', 500, 'com.example', NULL, NULL, 1, 1),
  (2, 'thread', 501, NULL, NULL, NULL, 1, 0),
  (3, 'thread', 7, 'rcu', NULL, NULL, NULL, NULL);
CREATE TABLE data_dict (id INT, data TEXT);
INSERT INTO data_dict VALUES (1, 'code'), (2, 'who'), (3, 'a "friend"');
CREATE TABLE args (id INT, key INT, datatype INT, value INT, argset INT);
INSERT INTO args VALUES (0, 1, 0, 3, 9), (1, 2, 1, 3, 9);
CREATE TABLE callstack (id INT, ts INT, dur INT, callid INT, cat TEXT, name TEXT, depth INT,
  cookie INT, parent_id INT, argsetid INT, chainId TEXT, spanId TEXT, parentSpanId TEXT, flag TEXT,
  args TEXT);
INSERT INTO callstack VALUES
  (0, 1000, 100, 1, '', 'outer', 0, NULL, NULL, 9, '', '', '', '', ''),
  (1, 1010, 50, 1, '', 'inner', 1, NULL, 0, NULL, 'c1', 's1', 'p1', 'C', 'x'),
  (2, 1020, 0, 2, 'binder', 'sent', 0, NULL, NULL, NULL, '', '', '', '', ''),
  (3, 1030, 200, 1, '', 'download', 0, 77, NULL, NULL, '', '', '', '', ''),
  (4, 1040, 5, 1, 'softirq', 'RCU', 0, NULL, NULL, NULL, '', '', '', '', ''),
  (5, 1900, NULL, 2, '', 'never ends', 0, NULL, NULL, NULL, '', '', '', '', '');
CREATE TABLE irq (id INT, ts INT, dur INT, callid INT, cat TEXT, name TEXT, depth INT, cookie INT,
  parent_id INT, argsetid INT, flag TEXT);
INSERT INTO irq VALUES (0, 1050, 4, 0, 'irq', 'eth0', 0, NULL, NULL, 9, '1');
CREATE TABLE sched_slice (id INT, type TEXT, ts INT, dur INT, cpu INT, itid INT, end_state TEXT,
  priority INT);
INSERT INTO sched_slice VALUES (0, 'sched_slice', 1000, 300, 0, 1, 'S', 120),
  (1, 'sched_slice', 1300, 100, 0, 0, 'R', 120), (2, 'sched_slice', 1400, 0, 0, 2, 'R', 120);
CREATE TABLE thread_state (id INT, type TEXT, ts INT, dur INT, cpu INT, itid INT, state TEXT);
INSERT INTO thread_state VALUES (0, 'thread_state', 1000, 300, 0, 1, 'Running'),
  (1, 'thread_state', 1300, -1, NULL, 1, 'S'), (2, 'thread_state', 1390, 10, NULL, 2, 'R+'),
  (3, 'thread_state', 1400, NULL, 0, 2, 'Running');
CREATE TABLE instant (ts INT, name TEXT, ref INT, wakeup_from INT, ref_type TEXT, value REAL);
INSERT INTO instant VALUES (1390, 'sched_wakeup', 2, 1, 'itid', 0),
  (1391, 'sched_waking', 3, NULL, 'itid', 0);
CREATE TABLE raw (id INT, type TEXT, ts INT, name TEXT, cpu INT, itid INT);
INSERT INTO raw VALUES (0, 'raw', 1390, 'sched_wakeup', 0, 2);
CREATE TABLE log (seq INT, ts INT, pid INT, tid INT, level TEXT, tag TEXT, context TEXT, origints INT);
INSERT INTO log VALUES (1, 1500, 500, 501, 'I', 'Ability', 'is ready', 5),
  (2, 1510, 9, 9, 'W', '', 'nobody', 6);
CREATE TABLE measure (type TEXT, ts INT, dur INT, value INT, filter_id INT);
INSERT INTO measure VALUES ('measure', 1100, 10, 4294967295, 0), ('measure', 1110, 10, 2, 0),
  ('measure', 1120, 10, 1500000, 1), ('measure', 1130, 10, 7, 9);
CREATE TABLE process_measure (type TEXT, ts INT, value INT, filter_id INT);
INSERT INTO process_measure VALUES ('measure', 1140, 4096, 2);
CREATE TABLE sys_mem_measure (type TEXT, ts INT, value INT, filter_id INT);
INSERT INTO sys_mem_measure VALUES ('measure', 1150, 8192, 3);
CREATE TABLE cpu_measure_filter (id INT, type TEXT, name TEXT, cpu INT);
INSERT INTO cpu_measure_filter VALUES (0, 'cpu_measure_filter', 'cpu_idle', 1);
CREATE TABLE clock_event_filter (id INT, type TEXT, name TEXT, cpu INT);
INSERT INTO clock_event_filter VALUES (1, 'clock_set_rate', 'ddr', 0);
CREATE TABLE process_measure_filter (id INT, type TEXT, name TEXT, ipid INT);
INSERT INTO process_measure_filter VALUES (2, 'process_measure_filter', 'mem.rss.anon', 1);
CREATE TABLE sys_event_filter (id INT, type TEXT, name TEXT);
INSERT INTO sys_event_filter VALUES (3, 'sys_memory_filter', 'sys.mem.free');
