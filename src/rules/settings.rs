//! The settings that a game is judged under: every open question of the ruleset answered, and the
//! tolerances within which bases that truly touch are taken to touch.
//!
//! Invariant: every setting of the ruleset has one of its choices. Those that this engine reads are
//! typed fields; outcome rows read the others by name.

use super::ruleset::Ruleset;
use std::collections::BTreeMap;
use std::sync::Arc;
use thiserror::Error;

/// Within what bases that truly touch are in contact. All of them are named settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerances {
    /// The greatest gap between edges in contact, the overhang of the figures on both not counted,
    /// millimetres (`contact-gap-mm`).
    pub contact_gap_mm: f64,
    /// The greatest offset along the edge between corners that match, millimetres (`corner-offset-mm`).
    pub corner_offset_mm: f64,
    /// The greatest turn between elements that are lined up, degrees (`same-facing-deg`).
    pub same_facing_deg: f64,
}

/// The number settings that this engine reads.
pub(super) const NUMBERS: &[&str] = &["contact-gap-mm", "corner-offset-mm", "same-facing-deg"];

/// A closed choice that a setting's words name.
pub trait Choice: Sized + Copy {
    /// The choice of that word.
    fn of_word(word: &str) -> Option<Self>;
}

impl Choice for bool {
    fn of_word(word: &str) -> Option<Self> {
        word.parse().ok()
    }
}

macro_rules! choice {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name { $($(#[$doc])* $variant),+ }
        impl Choice for $name {
            fn of_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}

choice! {
    /// When a board's side edge counts as overlapping (clause dba3.ovl.9).
    BoardEdgeOverlap {
        /// Nearer than half a base width, or touching.
        UnderHalfBw = "under-half-bw",
        /// Touching.
        Touching = "touching",
        /// Never.
        Off = "off",
    }
}
choice! {
    /// What overlapping a rear half alone does to the front (clause dba3.ovl.12).
    RearOverlap {
        /// Nothing.
        NoEffect = "no-effect",
        /// It counts.
        FrontPenalised = "front-penalised",
    }
}
choice! {
    /// How often side support counts (clause dba3.sup.13).
    SideSupport {
        /// Once.
        Single = "single",
        /// Once a side.
        PerSide = "per-side",
    }
}
choice! {
    /// Whether an 8Sp adds side support to its own second rank (clause dba3.sup.14).
    DoubleSpear {
        /// Both count.
        Cumulative = "cumulative",
        /// One of them.
        Single = "single",
    }
}
choice! {
    /// Whose bad going costs 2 (clause dba3.tac.18).
    BadGoing {
        /// The element's own.
        Own = "own",
        /// Its own, or its enemy's where it is mounted.
        OwnOrEnemyIfMounted = "own-or-enemy-if-mounted",
    }
}
choice! {
    /// What shooting does to a shooter with the worse total (clause dba3.sht.20).
    ShooterHarmed {
        /// It suffers only where its target shoots back.
        OnlyIfShotBack = "only-if-shot-back",
        /// It always suffers.
        Always = "always",
    }
}
choice! {
    /// How base depths are checked (clause dba3.base.15).
    DepthCheck {
        /// The listed depth, or deeper.
        ListedOrDeeper = "listed-or-deeper",
        /// The listed depth.
        Exact = "exact",
        /// Not at all.
        Off = "off",
    }
}
choice! {
    /// Depth of mounted doubles on 60 mm bases (clause dba3.base.14).
    DoubleMountedDepth {
        /// 80 mm.
        Eighty = "80",
        /// 90 mm.
        Ninety = "90",
    }
}

choice! {
    /// Which conforming is the smallest (clause dba3.set.102).
    ConformMeasure {
        /// The one whose furthest-moving corner moves least.
        FurthestCorner = "furthest-corner",
        /// The one whose corners move least when added up.
        SumOfCorners = "sum-of-corners",
    }
}
choice! {
    /// What comes of a contact whose conforming the mover's own friends block (clause dba3.set.64).
    FriendsBlock {
        /// The move is not made.
        NoMove = "no-move",
        /// The contacted fight as overlapped.
        FightOverlapped = "fight-overlapped",
    }
}
choice! {
    /// Who conforms once combat is over (clause dba3.set.60).
    PostCombatConformer {
        /// As when contact was made.
        OriginalRoles = "original-roles",
        /// The player whose bound it is.
        BoundingPlayer = "bounding-player",
    }
}
choice! {
    /// When an element turns to face (clause dba3.turn.4).
    TurnTiming {
        /// When all contacts of the movement phase are complete.
        EndOfMovement = "end-of-movement",
        /// When it is contacted.
        AtContact = "at-contact",
    }
}
choice! {
    /// When an element turns to face a pursuer (clause dba3.turn.5).
    TurnAfterPursuit {
        /// When the following movement phase closes.
        NextMovementEnd = "next-movement-end",
        /// At once.
        AtOnce = "at-once",
    }
}
choice! {
    /// Which of several enemies an element turns to (clause dba3.turn.6).
    TurnWhichEnemy {
        /// The one that touched it first.
        FirstContact = "first-contact",
        /// Its owner says.
        OwnerChoice = "owner-choice",
    }
}
choice! {
    /// Who makes room for an element that turns (clause dba3.turn.8).
    TurnDisplacement {
        /// The friends in its way shift.
        FriendsShift = "friends-shift",
        /// The contactor shifts.
        ContactorShifts = "contactor-shifts",
        /// It does not turn.
        NoTurn = "no-turn",
    }
}
choice! {
    /// Who turns when only the rear element of a column is hit (clause dba3.turn.10).
    TurnColumnRearHit {
        /// Both.
        Both = "both",
        /// The rear one.
        RearOnly = "rear-only",
        /// Neither.
        None = "none",
    }
}

/// Why a setting was not changed.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SettingError {
    /// No setting has that name.
    #[error("no setting is called `{id}`; nearest: {nearest}")]
    Unknown {
        /// The name given.
        id: String,
        /// A name like it.
        nearest: String,
    },
    /// The word is not one of the setting's.
    #[error("`{id}` cannot be `{word}`; expected one of {choices}")]
    Word {
        /// The setting.
        id: String,
        /// The word given.
        word: String,
        /// Its words.
        choices: String,
    },
    /// The number is not one or outside the setting's bounds.
    #[error("`{id}` cannot be `{word}`; expected a number from {least} to {most}")]
    Number {
        /// The setting.
        id: String,
        /// What was given.
        word: String,
        /// Least allowed.
        least: f64,
        /// Greatest allowed.
        most: f64,
    },
}

macro_rules! settings {
    ($($(#[$doc:meta])* $field:ident : $type:ty = $id:literal),+ $(,)?) => {
        /// Answers to every open question of a ruleset. Cheap to clone.
        #[derive(Debug, Clone, PartialEq)]
        pub struct Settings {
            ruleset: Arc<Ruleset>,
            words: Arc<BTreeMap<String, String>>,
            /// Contact within what.
            pub tolerances: Tolerances,
            $($(#[$doc])* pub $field: $type),+
        }

        /// The settings that this engine reads by type: a ruleset must have each.
        pub(super) const TYPED: &[&str] = &[$($id),+];

        /// Whether this engine knows what `word` of a typed setting means; true of all others.
        pub(super) fn means_something(id: &str, word: &str) -> bool {
            match id {
                $($id => <$type as Choice>::of_word(word).is_some(),)+
                _ => true,
            }
        }

        impl Settings {
            fn of_words(ruleset: Arc<Ruleset>, words: BTreeMap<String, String>) -> Self {
                let number = |id: &str| -> f64 {
                    words.get(id).and_then(|w| w.parse().ok()).expect("a checked number setting")
                };
                let tolerances = Tolerances {
                    contact_gap_mm: number("contact-gap-mm"),
                    corner_offset_mm: number("corner-offset-mm"),
                    same_facing_deg: number("same-facing-deg"),
                };
                $(let $field = words
                    .get($id)
                    .and_then(|w| <$type as Choice>::of_word(w))
                    .expect(concat!("a checked choice of ", $id));)+
                Self { ruleset, words: Arc::new(words), tolerances, $($field),+ }
            }
        }
    };
}

settings! {
    /// Whether a distance equal to the stated one is within it (dba3.board.9).
    within_includes_equal: bool = "within-includes-equal",
    /// Whether touching a zone's side line alone is being in the zone (dba3.set.44).
    tz_side_line_counts: bool = "tz-side-line-counts",
    /// Whether elements in between cut a zone off (dba3.set.45).
    tz_blocked_by_elements: bool = "tz-blocked-by-elements",
    /// Whether elements in close combat have no zone (dba3.set.46).
    tz_off_in_combat: bool = "tz-off-in-combat",
    /// Whether War Wagons threaten before each edge (dba3.set.47).
    wwg_tz_all_edges: bool = "wwg-tz-all-edges",
    /// Whether starting on the flank line is beyond it (dba3.set.54).
    flank_line_touch_counts: bool = "flank-line-touch-counts",
    /// Whether a start wholly behind and partly outside allows a flank contact (dba3.set.55).
    flank_start_wholly_behind: bool = "flank-start-wholly-behind",
    /// When a board edge overlaps (dba3.ovl.9).
    board_edge_overlap: BoardEdgeOverlap = "board-edge-overlap",
    /// Whether overlapping a rear half touches the front (dba3.ovl.12).
    overlap_on_rear_element: RearOverlap = "overlap-on-rear-element",
    /// Whether one element may overlap two enemies (dba3.ovl.7).
    overlap_two_enemies: bool = "overlap-two-enemies",
    /// How often side support counts (dba3.sup.13).
    side_support_both_sides: SideSupport = "side-support-both-sides",
    /// Whether 8Sp add side support to their second rank (dba3.sup.14).
    double_spear_side_support: DoubleSpear = "double-spear-side-support",
    /// Whether a second rank needs good going (dba3.sup.12).
    double_bonus_needs_good_going: bool = "double-bonus-needs-good-going",
    /// Whose bad going costs 2 (dba3.tac.18).
    bad_going_owner: BadGoing = "bad-going-owner",
    /// What a worse total does to a shooter (dba3.sht.20).
    shooter_harmed: ShooterHarmed = "shooter-harmed",
    /// How base depths are checked (dba3.base.15).
    depth_check: DepthCheck = "depth-check",
    /// Depth of mounted doubles on 60 mm bases (dba3.base.14).
    double_mounted_depth: DoubleMountedDepth = "double-mounted-depth-60-mm",
    /// Which conforming is the smallest (dba3.set.102).
    conform_measure: ConformMeasure = "conform-measure",
    /// What comes of conforming that own friends block (dba3.set.64).
    friends_block_conforming: FriendsBlock = "friends-block-conforming",
    /// Whether a group may conform into bad going out of column (dba3.set.61).
    group_conforms_into_bad_going: bool = "group-conforms-into-bad-going",
    /// Who conforms after combat (dba3.set.60).
    post_combat_conformer: PostCombatConformer = "post-combat-conformer",
    /// When an element turns to face (dba3.turn.4).
    turn_timing: TurnTiming = "turn-timing",
    /// When an element turns to face a pursuer (dba3.turn.5).
    turn_after_pursuit: TurnAfterPursuit = "turn-after-pursuit",
    /// Which of several enemies an element turns to (dba3.turn.6).
    turn_which_enemy: TurnWhichEnemy = "turn-which-enemy",
    /// Who makes room for an element that turns (dba3.turn.8).
    turn_displacement: TurnDisplacement = "turn-displacement",
    /// Who turns when only the rear of a column is hit (dba3.turn.10).
    turn_column_rear_hit: TurnColumnRearHit = "turn-column-rear-hit",
}

impl Settings {
    /// The ruleset's defaults.
    pub fn new(ruleset: Arc<Ruleset>) -> Self {
        let choices = ruleset.choice_settings().iter().map(|s| (s.id.clone(), s.default.clone()));
        let numbers = ruleset.number_settings().iter().map(|s| (s.id.clone(), s.default.to_string()));
        let words = choices.chain(numbers).collect();
        Self::of_words(ruleset, words)
    }

    /// DBA 3.0 with its defaults.
    pub fn dba3() -> Self {
        Self::new(Ruleset::dba3())
    }

    /// What most players do, where that differs from the default.
    pub fn community(ruleset: Arc<Ruleset>) -> Self {
        let mut settings = Self::new(Arc::clone(&ruleset));
        for setting in ruleset.choice_settings() {
            if let Some(word) = &setting.community {
                settings = settings.with(&setting.id, word).expect("a ruleset's own words are its choices");
            }
        }
        settings
    }

    /// The same with one setting changed.
    ///
    /// # Errors
    /// Where no setting has that name, or the word is not one of its choices.
    pub fn with(&self, id: &str, word: &str) -> Result<Self, SettingError> {
        if let Some(setting) = self.ruleset.choice_settings().iter().find(|s| s.id == id) {
            if !setting.choices.iter().any(|c| c == word) {
                let choices = setting.choices.join(", ");
                return Err(SettingError::Word { id: id.to_owned(), word: word.to_owned(), choices });
            }
        } else if let Some(setting) = self.ruleset.number_settings().iter().find(|s| s.id == id) {
            let good = word.parse::<f64>().is_ok_and(|n| (setting.least..=setting.most).contains(&n));
            if !good {
                let (least, most) = (setting.least, setting.most);
                return Err(SettingError::Number { id: id.to_owned(), word: word.to_owned(), least, most });
            }
        } else {
            return Err(SettingError::Unknown { id: id.to_owned(), nearest: self.nearest(id) });
        }
        let mut words = (*self.words).clone();
        words.insert(id.to_owned(), word.to_owned());
        Ok(Self::of_words(Arc::clone(&self.ruleset), words))
    }

    /// The ruleset that they belong to.
    pub fn ruleset(&self) -> &Arc<Ruleset> {
        &self.ruleset
    }

    /// The word that a setting stands at.
    pub fn word(&self, id: &str) -> Option<&str> {
        self.words.get(id).map(String::as_str)
    }

    /// Every setting and its word, by name.
    pub fn words(&self) -> impl Iterator<Item = (&str, &str)> {
        self.words.iter().map(|(id, word)| (id.as_str(), word.as_str()))
    }

    /// The setting's name that shares most letters, in order from the start, with `id`.
    fn nearest(&self, id: &str) -> String {
        let shared = |name: &str| name.chars().zip(id.chars()).take_while(|(a, b)| a == b).count();
        self.words.keys().max_by_key(|name| shared(name)).cloned().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_the_designs_tolerances() {
        let t = Settings::dba3().tolerances;
        assert_eq!((t.contact_gap_mm, t.corner_offset_mm, t.same_facing_deg), (1.0, 1.0, 2.0));
    }

    #[test]
    fn every_choice_of_a_typed_setting_has_a_meaning() {
        let settings = Settings::dba3();
        let ruleset = Arc::clone(settings.ruleset());
        for id in TYPED {
            let setting =
                ruleset.choice_settings().iter().find(|s| s.id == *id).expect("a setting of the data");
            for word in &setting.choices {
                settings.with(id, word).expect("a choice of its own");
            }
        }
    }

    #[test]
    fn what_most_players_do_differs_from_the_default() {
        let community = Settings::community(Ruleset::dba3());
        assert!(community.tz_off_in_combat && !Settings::dba3().tz_off_in_combat);
    }

    #[test]
    fn a_wrong_name_word_or_number_is_refused_and_says_what_would_do() {
        let settings = Settings::dba3();
        let said = |id, word| settings.with(id, word).expect_err("a mistake").to_string();
        assert!(
            said("tz-of-in-combat", "true").contains("`tz-off-in-combat`")
                || said("tz-of-in-combat", "true").contains("tz-off-in-combat")
        );
        assert!(said("tz-off-in-combat", "maybe").contains("true, false"));
        assert!(said("contact-gap-mm", "-1").contains("0 to 10"));
    }
}
