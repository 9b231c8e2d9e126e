//! Room `markers`: filled in below.
