-- Dates as SQLite itself writes them; durations beside them are seconds.
CREATE TABLE calls (time TEXT, thread TEXT, name TEXT, duration REAL);
INSERT INTO calls VALUES ('2026-01-02 03:04:05', 'a', 'first', 1.5), ('2026-01-02 03:04:06.25', 'a', 'second', 1),
  ('soon', 'a', 'never', 1);
