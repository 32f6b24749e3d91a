-- Tables of nobody's, understood by the names of their columns.
CREATE TABLE "it's ""work""" (start_us INTEGER, duration_us INTEGER, thread TEXT, name TEXT, note TEXT, data BLOB);
INSERT INTO "it's ""work""" VALUES (1, 4, 'a', 'step', 'first', x'00ff'), (2, 1, 'b', 'step', NULL, NULL);
CREATE TABLE samples (time_us REAL, lane TEXT, value REAL);
INSERT INTO samples VALUES (1.5, 'load', 0.25), (2.5, 'load', 'high'), (3.5, 'load', 1);
CREATE TABLE messages (time_us INTEGER, source TEXT, target TEXT, target_time_us INTEGER, type TEXT);
INSERT INTO messages VALUES (2, 'a', 'b', 3, 'ask'), (3, 'a', NULL, NULL, 'note');
CREATE TABLE settings (key TEXT, value TEXT);
INSERT INTO settings VALUES ('colour', 'blue');
CREATE VIEW everything AS SELECT * FROM samples;
