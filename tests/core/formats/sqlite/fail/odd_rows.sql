CREATE TABLE events (time INTEGER, end INTEGER, lane TEXT, type TEXT);
INSERT INTO events VALUES (NULL, 1, 'a', 'no time'), ('soon', 1, 'a', 'a text'), (9, 3, 'a', 'backwards'),
  (1, 2, NULL, NULL), (9223372036854775807, NULL, 'a', 'last'), (2, 5, x'ff41', 'bytes');
