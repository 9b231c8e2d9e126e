//! What has happened to a camp, City or Fort, beside who stands in it now.
//!
//! The default is a place at the start of a game: nobody of the enemy was in it, its civilians are at home. Each thing
//! that can have happened has a word that files use. Invariant: of each sort of thing one holds.

/// Whether an enemy of its owner has been in it in this battle (clauses dba3.vic.5, .6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Entered {
    /// Never.
    #[default]
    Never,
    /// One moved in while nobody defended it.
    Empty,
    /// One moved in over its destroyed defenders.
    Stormed,
}

/// Whether a City's denizens serve its owner's enemy (clauses dba3.city.18, .20, .22).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Yielded {
    /// They serve their owner.
    #[default]
    No,
    /// It surrendered in this battle.
    Surrendered,
    /// It surrendered or was taken earlier in the campaign.
    Earlier,
}

/// Where denizens or camp followers are (clauses dba3.city.8, .16, .17, dba3.camp.13).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Civilians {
    /// At home.
    #[default]
    Home,
    /// Outside.
    Out,
    /// Destroyed.
    Lost,
    /// At home, and not defending: the garrison was destroyed.
    Idle,
}

/// Whether the troops inside are sacking it (clauses dba3.city.10, dba3.set.11).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sack {
    /// They are not.
    #[default]
    No,
    /// They are, until their side's PIP die shows 5 or 6.
    AtWork,
    /// It did in this bound; they are free in their next.
    Ending,
}

/// How its last garrison was lost (clauses dba3.city.8, .22).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Garrison {
    /// None was.
    #[default]
    NotLost,
    /// It was shot.
    Shot,
    /// It was destroyed in close combat.
    Beaten,
}

/// One thing that has happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// About enemies inside.
    Entered(Entered),
    /// About whom denizens serve.
    Yielded(Yielded),
    /// About where civilians are.
    Civilians(Civilians),
    /// About a sack.
    Sack(Sack),
    /// About the last garrison.
    Garrison(Garrison),
}

/// All that has happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Past {
    /// Whether an enemy of its owner was in it.
    pub entered: Entered,
    /// Whom its denizens serve.
    pub yielded: Yielded,
    /// Where its civilians are.
    pub civilians: Civilians,
    /// Whether those inside are sacking.
    pub sack: Sack,
    /// How its last garrison was lost.
    pub garrison: Garrison,
}

impl Past {
    /// The words of files.
    pub const WORDS: [(&'static str, Told); 11] = [
        ("entered", Told::Entered(Entered::Empty)),
        ("stormed", Told::Entered(Entered::Stormed)),
        ("surrendered", Told::Yielded(Yielded::Surrendered)),
        ("taken-earlier", Told::Yielded(Yielded::Earlier)),
        ("civilians-out", Told::Civilians(Civilians::Out)),
        ("civilians-lost", Told::Civilians(Civilians::Lost)),
        ("civilians-idle", Told::Civilians(Civilians::Idle)),
        ("sacking", Told::Sack(Sack::AtWork)),
        ("sack-ending", Told::Sack(Sack::Ending)),
        ("garrison-shot", Told::Garrison(Garrison::Shot)),
        ("garrison-beaten", Told::Garrison(Garrison::Beaten)),
    ];

    /// The same with one thing more; none where it contradicts what has been said, or says it again.
    #[must_use]
    pub fn with(mut self, told: Told) -> Option<Self> {
        fn set<T: Default + PartialEq>(slot: &mut T, value: T) -> bool {
            let free = *slot == T::default();
            *slot = value;
            free
        }
        let free = match told {
            Told::Entered(value) => set(&mut self.entered, value),
            Told::Yielded(value) => set(&mut self.yielded, value),
            Told::Civilians(value) => set(&mut self.civilians, value),
            Told::Sack(value) => set(&mut self.sack, value),
            Told::Garrison(value) => set(&mut self.garrison, value),
        };
        free.then_some(self)
    }

    /// Its words, in the order of [`Past::WORDS`]; none where nothing has happened.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        let says = move |told: Told| match told {
            Told::Entered(value) => self.entered == value,
            Told::Yielded(value) => self.yielded == value,
            Told::Civilians(value) => self.civilians == value,
            Told::Sack(value) => self.sack == value,
            Told::Garrison(value) => self.garrison == value,
        };
        Self::WORDS.into_iter().filter(move |(_, told)| says(*told)).map(|(word, _)| word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_back_and_contradictions_refused() {
        assert_eq!(Past::default().words().count(), 0);
        for (word, told) in Past::WORDS {
            let past = Past::default().with(told).expect("a first word");
            assert_eq!(past.words().collect::<Vec<_>>(), [word]);
            assert_eq!(past.with(told), None, "{word} twice");
        }
        let out = Past::default().with(Told::Civilians(Civilians::Out)).expect("a first word");
        assert_eq!(out.with(Told::Civilians(Civilians::Lost)), None);
        let both = out.with(Told::Entered(Entered::Empty)).expect("they agree");
        assert_eq!(both.words().collect::<Vec<_>>(), ["entered", "civilians-out"]);
    }
}
