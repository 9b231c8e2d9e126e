//! Room `text`: filled in below.
