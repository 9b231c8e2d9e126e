//! Room `app`: filled in below.
