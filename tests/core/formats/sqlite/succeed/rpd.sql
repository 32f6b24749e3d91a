-- What rocprof and rpd write: calls, what they set off, and a monitor.
CREATE TABLE rocpd_string (id INTEGER NOT NULL PRIMARY KEY, string TEXT NOT NULL);
INSERT INTO rocpd_string VALUES (1, 'hipLaunchKernel'), (2, 'grid 32'), (3, 'KernelExecution'),
  (4, 'saxpy'), (5, ''), (6, 'hipMemcpy'), (7, 'CopyHostToDevice');
CREATE TABLE rocpd_api (id INTEGER NOT NULL PRIMARY KEY, pid INTEGER, tid INTEGER, start INTEGER,
  end INTEGER, args_id INTEGER, apiName_id INTEGER);
INSERT INTO rocpd_api VALUES (10, 42, 43, 100, 150, 2, 1), (11, 42, 43, 160, 300, 5, 6);
CREATE TABLE rocpd_op (id INTEGER NOT NULL PRIMARY KEY, gpuId INTEGER, queueId INTEGER,
  sequenceId INTEGER, start INTEGER, end INTEGER, description_id INTEGER, opType_id INTEGER);
INSERT INTO rocpd_op VALUES (20, 0, 1, 0, 140, 240, 4, 3), (21, 0, 1, 1, 250, 290, 5, 7);
CREATE TABLE rocpd_api_ops (id INTEGER NOT NULL PRIMARY KEY, api_id INTEGER, op_id INTEGER);
INSERT INTO rocpd_api_ops VALUES (1, 10, 20), (2, 11, 21);
CREATE TABLE rocpd_monitor (id INTEGER NOT NULL PRIMARY KEY, deviceType TEXT, deviceId INTEGER,
  monitorType TEXT, start INTEGER, end INTEGER, value TEXT);
INSERT INTO rocpd_monitor VALUES (1, 'gpu', 0, 'sclk', 100, 200, '1700'), (2, 'gpu', 0, 'sclk', 200, 300, '300');
