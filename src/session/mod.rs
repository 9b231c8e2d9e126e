//! Room `session`: filled in below.
