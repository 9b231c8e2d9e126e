//! Work that takes too long for the window's own thread: one job at a time in a thread of its own, and of those that
//! wait only the newest is done.
//!
//! A job that runs cannot be broken off: when something newer is asked for, or nothing any more, its answer is thrown
//! away when it comes. So there is never more than one thread to a desk, however often the table changes.

use super::channel::{Feed, Report};
use crate::app::logic::Waker;
use crate::session::play::Job;
use std::sync::Arc;
use std::time::Duration;

/// What a thread reports: the answer, or that it broke down.
struct Done<A>(Result<A, String>);

impl<A: Send + 'static> Report for Done<A> {
    fn is_last(&self) -> bool {
        true
    }

    fn broken_down() -> Self {
        Self(Err("the working thread broke down. Please report this with what you did last.".to_owned()))
    }
}

/// A desk at which one job at a time is done.
pub struct Desk<A> {
    name: &'static str,
    running: Option<Feed<Done<A>>>,
    /// Whether anybody still wants what runs.
    wanted: bool,
    waiting: Option<Job<A>>,
}

impl<A: Send + 'static> Desk<A> {
    /// Nothing to do yet. `name` is the thread's.
    pub fn new(name: &'static str) -> Self {
        Self { name, running: None, wanted: false, waiting: None }
    }

    /// Asks for this in place of all that was asked before.
    pub fn ask(&mut self, job: Job<A>, wake: &Waker) {
        self.wanted = false;
        self.waiting = Some(job);
        self.begin(wake);
    }

    /// Nothing that was asked is wanted any more.
    pub fn cancel(&mut self) {
        (self.wanted, self.waiting) = (false, None);
    }

    /// Whether an answer is still to come.
    pub fn busy(&self) -> bool {
        self.wanted || self.waiting.is_some()
    }

    /// The answer to what was asked last, once it is there; why there is none, where that is so.
    pub fn take(&mut self, wake: &Waker) -> Option<Result<A, String>> {
        let done = self.running.as_ref()?.poll()?;
        self.finished(done, wake)
    }

    /// The same, waiting for it, `longest` at most.
    pub fn wait(&mut self, longest: Duration, wake: &Waker) -> Option<Result<A, String>> {
        let done = self.running.as_ref()?.wait(longest)?;
        self.finished(done, wake)
    }

    fn finished(&mut self, Done(answer): Done<A>, wake: &Waker) -> Option<Result<A, String>> {
        self.running = None;
        let wanted = std::mem::take(&mut self.wanted);
        self.begin(wake);
        wanted.then_some(answer)
    }

    fn begin(&mut self, wake: &Waker) {
        if self.running.is_some() {
            return;
        }
        let Some(job) = self.waiting.take() else { return };
        let waker = Arc::clone(wake);
        let started = Feed::spawn(self.name, Box::new(move || waker()), move |_| Ok(Done(Ok(job()))));
        // Without a thread the wish is dropped: the next look at the table asks again.
        if let Ok(feed) = started {
            (self.running, self.wanted) = (Some(feed), true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::sync_channel;

    fn nobody() -> Waker {
        Arc::new(|| {})
    }

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn of_what_waits_only_the_newest_is_done_and_what_ran_is_thrown_away() {
        let wake = nobody();
        let mut desk: Desk<u32> = Desk::new("test");
        let (go, gate) = sync_channel::<()>(1);
        let (tell, done) = sync_channel::<u32>(8);
        desk.ask(
            Box::new(move || {
                gate.recv_timeout(LONG).expect("the gate opens");
                1
            }),
            &wake,
        );
        for n in [2, 3] {
            let tell = tell.clone();
            desk.ask(
                Box::new(move || {
                    tell.send(n).expect("somebody listens");
                    n
                }),
                &wake,
            );
        }
        go.send(()).expect("it waits");
        let mut answers = Vec::new();
        while desk.busy() {
            answers.extend(desk.wait(LONG, &wake));
        }
        assert_eq!(answers, [Ok(3)]);
        assert_eq!(done.try_iter().collect::<Vec<_>>(), [3]);
    }

    #[test]
    fn what_is_cancelled_is_never_told_and_a_breakdown_is() {
        let wake = nobody();
        let mut desk: Desk<u32> = Desk::new("test");
        desk.ask(Box::new(|| 1), &wake);
        desk.cancel();
        assert!(!desk.busy() && desk.wait(LONG, &wake).is_none());
        desk.ask(Box::new(|| panic!("this is the test's own panic")), &wake);
        assert!(matches!(desk.wait(LONG, &wake), Some(Err(why)) if why.contains("broke down")));
        assert!(!desk.busy());
    }
}
