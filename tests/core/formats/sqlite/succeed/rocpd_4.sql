-- What rocprofv3 writes since schema 4: times and tracks in tables of their own; counters of kernels
-- and samples.
CREATE TABLE rocpd_string_4 (id INTEGER PRIMARY KEY, string TEXT NOT NULL);
INSERT INTO rocpd_string_4 VALUES (1, 'hipLaunchKernel'), (2, 'MEMORY_COPY_HOST_TO_DEVICE'), (3, 'ALLOC');
CREATE TABLE rocpd_info_process_4 (id INTEGER PRIMARY KEY, pid INTEGER, command TEXT);
INSERT INTO rocpd_info_process_4 VALUES (1, 4242, './saxpy');
CREATE TABLE rocpd_info_thread_4 (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, name TEXT);
INSERT INTO rocpd_info_thread_4 VALUES (1, 1, 4243, 'main');
CREATE TABLE rocpd_info_kernel_symbol_4 (id INTEGER PRIMARY KEY, kernel_name TEXT, display_name TEXT);
INSERT INTO rocpd_info_kernel_symbol_4 VALUES (5, '_Z5saxpyfPf', 'saxpy(float, float*)');
CREATE TABLE rocpd_info_pmc_4 (id INTEGER PRIMARY KEY, agent_id INTEGER, name TEXT, symbol TEXT);
INSERT INTO rocpd_info_pmc_4 VALUES (1, 4, 'SQ_WAVES', 'SQ_WAVES'), (2, 4, 'power', 'power');
CREATE TABLE rocpd_track_4 (id INTEGER PRIMARY KEY, nid INTEGER, pid INTEGER, tid INTEGER, agent_id INTEGER,
  queue_id INTEGER, stream_id INTEGER, name_id INTEGER);
INSERT INTO rocpd_track_4 VALUES (1, 1, 1, 1, NULL, NULL, NULL, NULL), (2, 1, 1, 1, 4, 2, NULL, NULL);
CREATE TABLE rocpd_timestamp_4 (id INTEGER PRIMARY KEY, value INTEGER, phase INTEGER, track_id INTEGER);
INSERT INTO rocpd_timestamp_4 (id, value, track_id) VALUES (1, 100, 1), (2, 150, 1), (3, 200, 2), (4, 400, 2),
  (5, 120, 2), (6, 140, 2), (7, 50, 2), (8, 60, 2), (9, 300, 2);
CREATE TABLE rocpd_event_4 (id INTEGER PRIMARY KEY, stack_id INTEGER, parent_stack_id INTEGER);
INSERT INTO rocpd_event_4 VALUES (1, 77, 0), (2, 77, 0), (3, 0, 0), (4, 0, 0), (5, 0, 0);
CREATE TABLE rocpd_region_4 (id INTEGER PRIMARY KEY, track_id INTEGER, name_id INTEGER, start_id INTEGER,
  end_id INTEGER, event_id INTEGER);
INSERT INTO rocpd_region_4 VALUES (1, 1, 1, 1, 2, 1);
CREATE TABLE rocpd_kernel_dispatch_4 (id INTEGER PRIMARY KEY, track_id INTEGER, kernel_id INTEGER,
  dispatch_id INTEGER, start_id INTEGER, end_id INTEGER, event_id INTEGER);
INSERT INTO rocpd_kernel_dispatch_4 VALUES (1, 2, 5, 1, 3, 4, 2);
CREATE TABLE rocpd_memory_copy_4 (id INTEGER PRIMARY KEY, track_id INTEGER, start_id INTEGER, end_id INTEGER,
  name_id INTEGER, size INTEGER, event_id INTEGER);
INSERT INTO rocpd_memory_copy_4 VALUES (1, 2, 5, 6, 2, 4096, 3);
CREATE TABLE rocpd_memory_allocate_4 (id INTEGER PRIMARY KEY, track_id INTEGER, type TEXT, level TEXT,
  start_id INTEGER, end_id INTEGER, name_id INTEGER, address INTEGER, size INTEGER, event_id INTEGER);
INSERT INTO rocpd_memory_allocate_4 VALUES (1, 2, 'ALLOC', 'REAL', 7, 8, 3, 4096, 1024, 4);
CREATE TABLE rocpd_sample_4 (id INTEGER PRIMARY KEY, track_id INTEGER, name_id INTEGER, timestamp_id INTEGER,
  event_id INTEGER);
INSERT INTO rocpd_sample_4 VALUES (1, 2, 1, 9, 5);
CREATE TABLE rocpd_pmc_event_4 (id INTEGER PRIMARY KEY, event_id INTEGER, pmc_id INTEGER, value REAL);
INSERT INTO rocpd_pmc_event_4 VALUES (1, 2, 1, 64), (2, 5, 2, 210.5), (3, 5, 9, 1);
