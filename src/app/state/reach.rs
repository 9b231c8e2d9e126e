//! Where the element that is picked first may go, as last worked out.

use crate::app::command::ReachCommand;
use crate::rules::Setup;
use crate::rules::bound::Bound;
use crate::session::play::differs;
use crate::session::view::ReachView;

/// Who goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReachBody {
    /// The element alone.
    #[default]
    Alone,
    /// Its group, as one body.
    Group,
}

/// What was asked for.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Asked {
    pub names: Vec<String>,
    pub setup: Setup,
    pub bound: Bound,
}

/// Where it may go.
#[derive(Debug, Default)]
pub struct Reach {
    body: ReachBody,
    asked: Option<Asked>,
    view: Option<Result<ReachView, String>>,
    shown: Option<usize>,
    at_work: bool,
}

impl Reach {
    /// Alone, or with its group.
    pub fn body(&self) -> ReachBody {
        self.body
    }

    /// Where it may go, or why that is not known; none while nothing was worked out.
    pub fn view(&self) -> Option<&Result<ReachView, String>> {
        self.view.as_ref()
    }

    /// Whether it is being worked out.
    pub fn at_work(&self) -> bool {
        self.at_work
    }

    /// The enemy to whom the way is shown.
    pub fn shown(&self) -> Option<usize> {
        self.shown
    }

    pub(super) fn carry_out(&mut self, command: ReachCommand) {
        match command {
            ReachCommand::Body(body) => self.body = body,
            ReachCommand::Show(n) => self.shown = (self.shown != Some(n)).then_some(n),
        }
    }

    /// Whether this must be worked out; it is taken to be asked then, and what was known of another table goes.
    pub(super) fn asks(&mut self, wanted: Asked) -> bool {
        let same = self.asked.as_ref().is_some_and(|a| {
            a.names == wanted.names && a.bound == wanted.bound && !differs(&a.setup, &wanted.setup)
        });
        if same {
            return false;
        }
        self.forget();
        (self.asked, self.at_work) = (Some(wanted), true);
        true
    }

    pub(super) fn take(&mut self, answer: Result<ReachView, String>) {
        (self.view, self.at_work) = (Some(answer), false);
    }

    /// Nothing is asked any more. Whether something was being worked out.
    pub(super) fn forget(&mut self) -> bool {
        let body = self.body;
        std::mem::replace(self, Self { body, ..Self::default() }).at_work
    }
}
