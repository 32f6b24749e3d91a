CREATE TABLE bookmarks (id INTEGER PRIMARY KEY, url TEXT, title TEXT);
CREATE VIEW trace AS SELECT 1 AS time, 'a' AS lane;
