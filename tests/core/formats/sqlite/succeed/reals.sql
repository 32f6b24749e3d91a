-- Columns that name no unit: reals are seconds, also as text, and whole numbers beside them.
CREATE TABLE calls (time, thread TEXT, name TEXT, duration);
INSERT INTO calls VALUES (1, 'a', 'first', 0.5), (1.5, 'a', 'second', 0.25), ('2.25', 'a', 'as text', 1),
  (3.00000000025, 'a', 'rounded', 0);
