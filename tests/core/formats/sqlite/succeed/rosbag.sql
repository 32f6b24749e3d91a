-- What rosbag2 writes: messages by topic, one of a topic that is not described.
CREATE TABLE schema (schema_version INTEGER PRIMARY KEY, ros_distro TEXT NOT NULL);
INSERT INTO schema VALUES (3, 'iron');
CREATE TABLE metadata (id INTEGER PRIMARY KEY, metadata_version INTEGER NOT NULL, metadata TEXT NOT NULL);
CREATE TABLE topics (id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL,
  serialization_format TEXT NOT NULL, offered_qos_profiles TEXT NOT NULL);
INSERT INTO topics VALUES (1, '/chatter', 'std_msgs/msg/String', 'cdr', ''),
  (2, '/camera/image', 'sensor_msgs/msg/Image', 'cdr', '');
CREATE TABLE messages (id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL, timestamp INTEGER NOT NULL,
  data BLOB NOT NULL);
INSERT INTO messages VALUES (1, 1, 1700000000000000000, x'0001000003000000686900'),
  (2, 2, 1700000000010000000, zeroblob(2000)), (3, 3, 1700000000020000000, x'00');
