//! A place for one thing between two threads, where the newest wins.
//!
//! The thread that reads a camera must never wait for the one that looks at the pictures, and a picture
//! that was not fetched in time is worth nothing any more.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What the reader left.
#[derive(Debug)]
pub enum Fetched<T, E> {
    /// The newest thing, which was not fetched before.
    Item(T),
    /// The reader has ended for this reason, and nothing is left to fetch.
    Ended(E),
    /// Nothing came in time.
    Nothing,
}

#[derive(Debug)]
struct State<T, E> {
    item: Option<T>,
    ended: Option<E>,
    /// The side that fetches has been dropped.
    abandoned: bool,
}

#[derive(Debug)]
struct Shared<T, E> {
    state: Mutex<State<T, E>>,
    changed: Condvar,
}

impl<T, E> Shared<T, E> {
    fn lock(&self) -> MutexGuard<'_, State<T, E>> {
        // A panic on the other side leaves the state whole: it is only ever assigned.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The reader's side.
#[derive(Debug)]
pub struct Put<T, E>(Arc<Shared<T, E>>);

/// The side that fetches.
#[derive(Debug)]
pub struct Fetch<T, E>(Arc<Shared<T, E>>);

/// Both sides of an empty place.
pub fn newest<T, E>() -> (Put<T, E>, Fetch<T, E>) {
    let state = State { item: None, ended: None, abandoned: false };
    let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
    (Put(Arc::clone(&shared)), Fetch(shared))
}

impl<T, E> Put<T, E> {
    /// Puts a thing there, in the place of an older one. `false` once nobody will fetch it.
    pub fn put(&self, item: T) -> bool {
        let mut state = self.0.lock();
        state.item = Some(item);
        self.0.changed.notify_all();
        !state.abandoned
    }

    /// Whether somebody may still fetch.
    pub fn wanted(&self) -> bool {
        !self.0.lock().abandoned
    }

    /// Says why nothing more will come. The first reason stays.
    pub fn end(&self, why: E) {
        let mut state = self.0.lock();
        state.ended.get_or_insert(why);
        self.0.changed.notify_all();
    }
}

impl<T, E: Clone> Fetch<T, E> {
    /// Waits for the newest thing, `timeout` at most.
    pub fn fetch(&self, timeout: Duration) -> Fetched<T, E> {
        let until = Instant::now() + timeout;
        let mut state = self.0.lock();
        loop {
            if let Some(item) = state.item.take() {
                return Fetched::Item(item);
            }
            if let Some(why) = &state.ended {
                return Fetched::Ended(why.clone());
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Fetched::Nothing;
            }
            state = self.0.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl<T, E> Drop for Fetch<T, E> {
    fn drop(&mut self) {
        self.0.lock().abandoned = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_wins_and_is_fetched_once() {
        let (put, fetch) = newest::<u32, &str>();
        assert!(put.put(1) && put.put(2));
        assert!(matches!(fetch.fetch(Duration::ZERO), Fetched::Item(2)));
        assert!(matches!(fetch.fetch(Duration::ZERO), Fetched::Nothing));
    }

    #[test]
    fn the_last_thing_is_fetched_before_the_end_is_told() {
        let (put, fetch) = newest::<u32, &str>();
        put.put(7);
        put.end("unplugged");
        put.end("later");
        assert!(matches!(fetch.fetch(Duration::ZERO), Fetched::Item(7)));
        assert!(matches!(fetch.fetch(Duration::ZERO), Fetched::Ended("unplugged")));
    }

    #[test]
    fn a_waiting_fetch_is_woken_from_another_thread() {
        let (put, fetch) = newest::<u32, &str>();
        let reader = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            put.put(5)
        });
        assert!(matches!(fetch.fetch(Duration::from_secs(20)), Fetched::Item(5)));
        assert!(reader.join().expect("the reader ends"));
    }

    #[test]
    fn the_reader_learns_that_nobody_fetches_any_more() {
        let (put, fetch) = newest::<u32, &str>();
        drop(fetch);
        assert!(!put.put(1) && !put.wanted());
    }
}
