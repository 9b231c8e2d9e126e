//! Room `judge`: filled in below.
