-- What rocprofv3 writes: the tables of a run are called after it.
CREATE TABLE rocpd_string_1f (id INTEGER PRIMARY KEY, guid TEXT, string TEXT NOT NULL);
INSERT INTO rocpd_string_1f VALUES (1, '1f', 'hipLaunchKernel'), (2, '1f', 'MEMORY_COPY_HOST_TO_DEVICE'),
  (3, '1f', 'HIP_RUNTIME_API'), (4, '1f', 'MEMORY_COPY_DEVICE_TO_HOST');
CREATE TABLE rocpd_info_process_1f (id INTEGER PRIMARY KEY, pid INTEGER, command TEXT);
INSERT INTO rocpd_info_process_1f VALUES (1, 4242, './saxpy');
CREATE TABLE rocpd_info_thread_1f (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, name TEXT);
INSERT INTO rocpd_info_thread_1f VALUES (1, 1, 4243, 'main');
CREATE TABLE rocpd_info_agent_1f (id INTEGER PRIMARY KEY, type TEXT, absolute_index INTEGER, type_index INTEGER);
INSERT INTO rocpd_info_agent_1f VALUES (3, 'CPU', 0, 0), (4, 'GPU', 1, 0), (5, 'GPU', 2, 1);
CREATE TABLE rocpd_info_kernel_symbol_1f (id INTEGER PRIMARY KEY, kernel_name TEXT, display_name TEXT);
INSERT INTO rocpd_info_kernel_symbol_1f VALUES (5, '_Z5saxpyfPf', 'saxpy(float, float*)');
CREATE TABLE rocpd_event_1f (id INTEGER PRIMARY KEY, category_id INTEGER, stack_id INTEGER,
  parent_stack_id INTEGER, correlation_id INTEGER);
INSERT INTO rocpd_event_1f VALUES (1, 3, 77, 0, 0), (2, NULL, 77, 0, 0), (3, NULL, 0, 0, 0), (4, NULL, 78, 77, 0);
CREATE TABLE rocpd_arg_1f (id INTEGER PRIMARY KEY, event_id INTEGER, position INTEGER, type TEXT, name TEXT, value TEXT);
INSERT INTO rocpd_arg_1f VALUES (1, 1, 0, 'int', 'stream', '0x1');
CREATE TABLE rocpd_region_1f (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, start INTEGER,
  end INTEGER, name_id INTEGER, event_id INTEGER);
INSERT INTO rocpd_region_1f VALUES (1, 1, 1, 100, 150, 1, 1);
CREATE TABLE rocpd_kernel_dispatch_1f (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER,
  agent_id INTEGER, kernel_id INTEGER, dispatch_id INTEGER, queue_id INTEGER, start INTEGER,
  end INTEGER, event_id INTEGER);
INSERT INTO rocpd_kernel_dispatch_1f VALUES (1, 1, 1, 4, 5, 1, 2, 200, 400, 2);
CREATE TABLE rocpd_memory_copy_1f (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, start INTEGER,
  end INTEGER, name_id INTEGER, dst_agent_id INTEGER, src_agent_id INTEGER, size INTEGER, event_id INTEGER);
INSERT INTO rocpd_memory_copy_1f VALUES (1, 1, 1, 120, 140, 2, 4, 3, 4096, 3), (2, 1, 1, 450, 460, 4, 3, 5, 64, 3);
CREATE TABLE rocpd_memory_allocate_1f (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER,
  agent_id INTEGER, type TEXT, level TEXT, start INTEGER, end INTEGER, address INTEGER,
  size INTEGER, event_id INTEGER);
INSERT INTO rocpd_memory_allocate_1f VALUES (1, 1, 1, 4, 'ALLOC', 'REAL', 50, 60, 4096, 1024, 4),
  (2, 1, 1, NULL, 'FREE', 'REAL', 500, 510, 4096, 0, 4);
-- A second run in the same file: its numbers begin anew.
CREATE TABLE rocpd_string_2a (id INTEGER PRIMARY KEY, guid TEXT, string TEXT NOT NULL);
INSERT INTO rocpd_string_2a VALUES (1, '2a', 'hipLaunchKernel');
CREATE TABLE rocpd_info_process_2a (id INTEGER PRIMARY KEY, pid INTEGER, command TEXT);
INSERT INTO rocpd_info_process_2a VALUES (1, 5000, './saxpy');
CREATE TABLE rocpd_info_thread_2a (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, name TEXT);
INSERT INTO rocpd_info_thread_2a VALUES (1, 1, 5000, 'main');
CREATE TABLE rocpd_info_kernel_symbol_2a (id INTEGER PRIMARY KEY, kernel_name TEXT, display_name TEXT);
INSERT INTO rocpd_info_kernel_symbol_2a VALUES (5, '_Z5saxpyfPf', 'saxpy(float, float*)');
CREATE TABLE rocpd_event_2a (id INTEGER PRIMARY KEY, stack_id INTEGER, parent_stack_id INTEGER,
  correlation_id INTEGER);
INSERT INTO rocpd_event_2a VALUES (1, 77, 0, 0), (2, 77, 0, 0);
CREATE TABLE rocpd_region_2a (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, start INTEGER,
  end INTEGER, name_id INTEGER, event_id INTEGER);
INSERT INTO rocpd_region_2a VALUES (1, 1, 1, 1100, 1150, 1, 1);
CREATE TABLE rocpd_kernel_dispatch_2a (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER,
  agent_id INTEGER, kernel_id INTEGER, dispatch_id INTEGER, queue_id INTEGER, start INTEGER,
  end INTEGER, event_id INTEGER);
INSERT INTO rocpd_kernel_dispatch_2a VALUES (1, 1, 1, 4, 5, 1, 2, 1200, 1400, 2);
