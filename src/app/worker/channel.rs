//! A working thread and what it reports, through a channel that holds one event.
//!
//! The thread either waits until its event is taken, or keeps it until a newer one takes its place. It can
//! be paused and told to stop; dropping the receiving end tells it so, and nobody waits for it: a camera that
//! hangs must not hang the window. Who opens the same camera next can wait for its end ([`Feed::close`]).

use std::cell::Cell;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What a thread reports.
pub trait Report: Send + 'static {
    /// Whether nothing follows this.
    fn is_last(&self) -> bool;

    /// The thread is gone without having said why.
    fn broken_down() -> Self;
}

/// What the thread should be doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wish {
    Run,
    Pause,
    Stop,
}

/// The wish, and a bell that rings when it changes.
type Control = Arc<(Mutex<Wish>, Condvar)>;

/// The receiving end of a working thread.
#[derive(Debug)]
pub struct Feed<E> {
    events: Receiver<E>,
    control: Control,
    over: Cell<bool>,
    ended: Option<Ended>,
}

/// Tells when a thread has ended and let go of what it held.
#[derive(Debug)]
pub struct Ended(Receiver<()>);

impl Ended {
    /// Waits for the end, `longest` at most.
    pub fn wait(&self, longest: Duration) {
        // Nothing is ever sent: the other side is dropped at the end, or the time is over.
        let _ = self.0.recv_timeout(longest);
    }
}

impl<E: Report> Feed<E> {
    /// Starts a thread on `work`, which gives its last event; `wake` is called after each event.
    ///
    /// # Errors
    /// Where the system has no thread left.
    pub fn spawn(
        name: &str,
        wake: Box<dyn Fn() + Send>,
        work: impl FnOnce(&mut Post<E>) -> Result<E, Unheard> + Send + 'static,
    ) -> std::io::Result<Self> {
        let (sender, events) = sync_channel(1);
        let (end, ended) = sync_channel::<()>(1);
        let control: Control = Arc::new((Mutex::new(Wish::Run), Condvar::new()));
        let mut post = Post { sender, control: Arc::clone(&control), wake, unsent: None };
        std::thread::Builder::new().name(name.to_owned()).spawn(move || {
            // Dropped when the thread ends, after whatever `work` held.
            let _end = end;
            let Ok(last) = work(&mut post) else { return };
            if post.flush().is_ok() {
                // Where nobody listens there is nobody to tell.
                let _ = post.deliver(last);
            }
        })?;
        Ok(Self { events, control, over: Cell::new(false), ended: Some(Ended(ended)) })
    }

    /// The next event, or `None` where there is none yet or never will be.
    pub fn poll(&self) -> Option<E> {
        match self.events.try_recv() {
            Ok(event) => Some(self.passed_on(event)),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => self.silence(),
        }
    }

    /// Waits for the next event, `longest` at most.
    pub fn wait(&self, longest: Duration) -> Option<E> {
        match self.events.recv_timeout(longest) {
            Ok(event) => Some(self.passed_on(event)),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => self.silence(),
        }
    }

    fn passed_on(&self, event: E) -> E {
        if event.is_last() {
            self.over.set(true);
        }
        event
    }

    /// The thread is gone. Where it did not say why, it broke down; that is told once.
    fn silence(&self) -> Option<E> {
        (!self.over.replace(true)).then(E::broken_down)
    }
}

impl<E> Feed<E> {
    /// No more frames after the one in hand.
    pub fn pause(&self) {
        self.wish(Wish::Pause);
    }

    /// Frames go on.
    pub fn resume(&self) {
        self.wish(Wish::Run);
    }

    /// Tells the thread to stop, and gives what tells when it has.
    pub fn close(mut self) -> Ended {
        self.ended.take().expect("only closing takes it")
    }

    fn wish(&self, wish: Wish) {
        *held(&self.control) = wish;
        self.control.1.notify_all();
    }
}

impl<E> Drop for Feed<E> {
    fn drop(&mut self) {
        self.wish(Wish::Stop);
    }
}

/// The wish, whatever became of other threads that held it: it is one plain value.
fn held(control: &Control) -> MutexGuard<'_, Wish> {
    control.0.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The sending end, inside the thread.
pub struct Post<E> {
    sender: SyncSender<E>,
    control: Control,
    wake: Box<dyn Fn() + Send>,
    unsent: Option<E>,
}

/// Nobody listens any more.
#[derive(Debug)]
pub struct Unheard;

impl<E> Post<E> {
    /// Sends and waits until there is room.
    ///
    /// # Errors
    /// Where nobody listens.
    pub fn deliver(&mut self, event: E) -> Result<(), Unheard> {
        self.unsent = None;
        self.sender.send(event).map_err(|_| Unheard)?;
        (self.wake)();
        Ok(())
    }

    /// Sends if there is room, else keeps the event until a newer one takes its place.
    ///
    /// # Errors
    /// Where nobody listens.
    pub fn offer(&mut self, event: E) -> Result<(), Unheard> {
        match self.sender.try_send(event) {
            Ok(()) => self.unsent = None,
            Err(TrySendError::Full(event)) => self.unsent = Some(event),
            Err(TrySendError::Disconnected(_)) => return Err(Unheard),
        }
        (self.wake)();
        Ok(())
    }

    /// Delivers what was kept: before a pause or the end, the newest reading must arrive.
    ///
    /// # Errors
    /// Where nobody listens.
    pub fn flush(&mut self) -> Result<(), Unheard> {
        match self.unsent.take() {
            Some(event) => self.deliver(event),
            None => Ok(()),
        }
    }

    /// The thread pauses by itself until it is told to go on.
    pub fn pause_unless_stopped(&self) {
        let mut wish = held(&self.control);
        if *wish == Wish::Run {
            *wish = Wish::Pause;
        }
    }

    /// Sleeps until the pause is over, or until `until` where there is one.
    ///
    /// # Errors
    /// Where it is to stop.
    pub fn rest(&mut self, until: Option<Instant>) -> Result<Rested, Unheard> {
        if *held(&self.control) == Wish::Pause {
            self.flush()?;
        }
        let mut paused = false;
        let (lock, bell) = &*self.control;
        let mut wish = lock.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match *wish {
                Wish::Stop => return Err(Unheard),
                Wish::Pause => {
                    paused = true;
                    wish = bell.wait(wish).unwrap_or_else(PoisonError::into_inner);
                }
                Wish::Run => {
                    let left = until.map_or(Duration::ZERO, |t| t.saturating_duration_since(Instant::now()));
                    if left.is_zero() || paused {
                        return Ok(if paused { Rested::Paused } else { Rested::InTime });
                    }
                    wish = bell.wait_timeout(wish, left).unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
    }
}

/// What happened while the thread rested.
#[derive(Debug, PartialEq, Eq)]
pub enum Rested {
    /// Nothing: the time is over.
    InTime,
    /// It was paused, and goes on.
    Paused,
}
