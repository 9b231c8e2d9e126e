//! The settings that a game is judged under: every open question of the ruleset answered, and the
//! tolerances within which bases that truly touch are taken to touch.
//!
//! Invariant: every setting of the ruleset has one of its choices. Those that this engine reads are
//! typed fields; outcome rows read the others by name.

mod before;
mod choices;
mod presets;

pub use before::{
    AggressionTie, CampMargin, HillBuaSize, LandingPips, LittoralPair, NarrowScope, NearSides, QuarterOne,
    RoadEdge, Straddle,
};
pub use choices::{
    BadGoing, BoardEdgeOverlap, CamelSand, CampSackedWhen, CampWaterside, Choice, CityPassageLength,
    CityPassagePips, ColumnForming, CommandBeyond, CommandPoints, ConformMeasure, DenizenLeash,
    DenizensAfterGarrison, DepthCheck, DoubleMountedDepth, DoubleSpear, FlankAttackerNoRoom,
    FlankAttackersRecoil, FleeAtCrossing, FleeEdgePivot, FortBarred, FriendsBlock, LeadingEdge,
    LossComparison, MoveMeasure, PassageFacing, PostCombatConformer, PrimaryShooter, PsiloiSecondMove,
    PursuitNoLineUp, PushBackBlocked, PushBackChain, RearOverlap, RearShot, RecoilBoardEdge, RevoltScope,
    RiverRoll, RoadBlocked, SackEnd, ShooterHarmed, ShootingInCombat, SideSupport, SightTest,
    StartingGarrison, SupporterAfter, TargetEdge, TurnAfterPursuit, TurnColumnRearHit, TurnDisplacement,
    TurnTiming, TurnWhichEnemy, ZoneProgress,
};
pub use presets::{EventFile, Preset};

use super::ruleset::Ruleset;
use crate::text::did_you_mean;
use presets::Origin;
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

/// Why a setting was not changed.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SettingError {
    /// No setting has that name.
    #[error("no setting is called `{id}`{near}; `groma settings` lists them")]
    Unknown {
        /// The name given.
        id: String,
        /// A question after a name like it, where there is one.
        near: String,
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
            origin: Origin,
            name: Arc<str>,
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
            fn of_words(ruleset: Arc<Ruleset>, words: BTreeMap<String, String>, origin: Origin) -> Self {
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
                let name = origin.name(&ruleset, &words);
                Self { ruleset, words: Arc::new(words), origin, name, tolerances, $($field),+ }
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
    /// Whether a side supporter's front corner must be level (dba3.sup.3).
    side_support_front_corner: bool = "side-support-front-corner",
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
    /// How much of a target's edge must lie in arc and range (dba3.sht.6).
    target_edge_length_bw: TargetEdge = "target-edge-length-bw",
    /// Who rolls of several shooters (dba3.sht.16).
    primary_shooter: PrimaryShooter = "primary-shooter",
    /// Which lines must be clear (dba3.sht.26).
    line_of_sight_test: SightTest = "line-of-sight-test",
    /// Whether close combat stops shooting (dba3.sht.27).
    shooting_in_close_combat: ShootingInCombat = "shooting-in-close-combat",
    /// Whether those that merely overlap shoot and are shot at (dba3.sht.28).
    shooting_while_overlapping: bool = "shooting-while-overlapping",
    /// Which of several shooters on the rear edge turn a target (dba3.set.80).
    rear_shot_threshold: RearShot = "rear-shot-threshold",
    /// How base depths are checked (dba3.base.15).
    depth_check: DepthCheck = "depth-check",
    /// Depth of mounted doubles on 60 mm bases (dba3.base.14).
    double_mounted_depth: DoubleMountedDepth = "double-mounted-depth-60-mm",
    /// How a move's length is measured (dba3.set.36).
    move_measure: MoveMeasure = "move-measure",
    /// Which edge a gap must be wide enough for (dba3.set.30).
    gap_leading_edge: LeadingEdge = "gap-leading-edge",
    /// Whether a wheeling column joined at corners is one group (dba3.set.32).
    wheeling_column_corner_group: bool = "wheeling-column-corner-group",
    /// Whether a group may go sideways as one body (dba3.set.33).
    group_oblique_move: bool = "group-oblique-move",
    /// How falling back into a column is tested (dba3.set.35).
    column_forming_test: ColumnForming = "column-forming-test",
    /// Whether a held camp, City or Fort is enemy to second moves (dba3.set.37).
    second_move_held_feature_is_enemy: bool = "second-move-held-feature-is-enemy",
    /// Where a second move of Psiloi may end (dba3.set.38).
    psiloi_second_move_end: PsiloiSecondMove = "psiloi-second-move-end",
    /// Whether troops may turn in a paltry river (dba3.set.39).
    paltry_river_free_angle: bool = "paltry-river-free-angle",
    /// How an element that passed through friends must face (dba3.set.40).
    passage_lineup_facing: PassageFacing = "passage-lineup-facing",
    /// Whether ground that only a rear corner crosses slows a wheel (dba3.set.43).
    rear_corner_sweep_slows: bool = "rear-corner-sweep-slows",
    /// What closing up on a threatening enemy asks for (dba3.set.49).
    tz_progress_test: ZoneProgress = "tz-progress-test",
    /// Whether an advance on a held feature may stop short (dba3.set.50).
    tz_feature_stop_short: bool = "tz-feature-stop-short",
    /// Whether an element that merely overlaps is in close combat (dba3.set.100).
    overlapper_in_combat: bool = "overlapper-in-combat",
    /// Which conforming is the smallest (dba3.set.102).
    conform_measure: ConformMeasure = "conform-measure",
    /// What comes of conforming that own friends block (dba3.set.64).
    friends_block_conforming: FriendsBlock = "friends-block-conforming",
    /// Whether a group may conform into bad going out of column (dba3.set.61).
    group_conforms_into_bad_going: bool = "group-conforms-into-bad-going",
    /// Whether a contact that fails costs no PIP (dba3.set.53).
    failed_contact_pip_kept: bool = "failed-contact-pip-kept",
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
    /// Whether a free road move may be cut short (dba3.set.23).
    road_free_move_blocked: RoadBlocked = "road-free-move-blocked",
    /// Whether Scythed Chariots pay no extra PIP for a move into contact (dba3.set.25).
    sch_surcharge_exempt_on_contact: bool = "sch-surcharge-exempt-on-contact",
    /// Whether a group with the general in it is always in command (dba3.set.26).
    general_in_group_exempt: bool = "general-in-group-exempt",
    /// Between which points command distance is measured (dba3.set.28).
    command_distance_points: CommandPoints = "command-distance-points",
    /// Which lines from the general must cross a feature that hides (dba3.set.29).
    command_beyond_test: CommandBeyond = "command-beyond-test",
    /// Whether partly in and partly past a feature is in or past it (dba3.set.99).
    command_in_and_beyond: bool = "command-in-and-beyond",
    /// What a recoil over the board's edge does (dba3.set.81).
    recoil_board_edge: RecoilBoardEdge = "recoil-board-edge",
    /// Who behind a pushed element is pushed with it (dba3.set.82).
    push_back_chain: PushBackChain = "push-back-chain",
    /// What becomes of a recoiler whose pushed friend is stopped (dba3.set.83).
    push_back_blocked: PushBackBlocked = "push-back-blocked",
    /// Whether a pushed element may pass through friends behind it (dba3.set.84).
    pushed_may_pass_through: bool = "pushed-may-pass-through",
    /// Whether friends that may be passed and have no clear space behind them are pushed (dba3.set.104).
    push_when_no_space: bool = "push-when-no-space",
    /// When those on an enemy's flank or rear fall back with their friend (dba3.set.85).
    flank_attackers_recoil: FlankAttackersRecoil = "flank-attackers-recoil",
    /// What becomes of such an attacker that has no room (dba3.set.86).
    flank_attacker_no_room: FlankAttackerNoRoom = "flank-attacker-no-room",
    /// Whether the turn at a side edge uses flight distance (dba3.set.87).
    flee_edge_pivot: FleeEdgePivot = "flee-edge-pivot",
    /// What becomes of a fleer that crosses a river by a bridge or ford (dba3.set.88).
    flee_river_at_road_crossing: FleeAtCrossing = "flee-river-at-road-crossing",
    /// When the die for a river is rolled (dba3.set.101).
    river_roll_trigger: RiverRoll = "river-roll-trigger",
    /// What becomes of who gave rear support to an element that is destroyed (dba3.sup.18).
    supporter_after_front_destroyed: SupporterAfter = "supporter-after-front-destroyed",
    /// When an undefended camp is sacked (dba3.set.93).
    camp_sacked_when: CampSackedWhen = "camp-sacked-when",
    /// Whether a surrendered City that nobody entered counts (dba3.set.94).
    surrendered_city_counts_unentered: bool = "surrendered-city-counts-unentered",
    /// What comes of a pursuit contact that cannot line up (dba3.set.92).
    pursuit_no_lineup: PursuitNoLineUp = "pursuit-no-lineup",
    /// Whether all in column behind a pursuer follow, of whatever type (dba3.set.91).
    column_follow_any_type: bool = "column-follow-any-type",
    /// Whether denizens and camp followers give a feature its threat zone (dba3.set.48).
    tz_civilian_holders: bool = "tz-civilian-holders",
    /// At which water a camp may stand (dba3.faq.3).
    camp_waterside: CampWaterside = "camp-waterside",
    /// What marching through a City costs (dba3.set.8).
    city_passage_pips: CityPassagePips = "city-passage-pips",
    /// How far a passage through a City may take the movers (dba3.set.9).
    city_passage_length: CityPassageLength = "city-passage-length",
    /// Whether denizens defend a City whose garrison was destroyed (dba3.set.10).
    denizens_after_garrison_loss: DenizensAfterGarrison = "denizens-after-garrison-loss",
    /// When a sacker is free that rolled a 5 or 6 (dba3.set.11).
    sack_end_timing: SackEnd = "sack-end-timing",
    /// Which part of sallied denizens must stay near their City (dba3.set.12).
    denizen_leash: DenizenLeash = "denizen-leash",
    /// Which Cities may revolt (dba3.set.13).
    revolt_scope: RevoltScope = "revolt-scope",
    /// Who may not occupy a Fort (dba3.set.14).
    fort_barred_types: FortBarred = "fort-barred-types",
    /// Which foot may be the first garrison (dba3.set.15).
    starting_garrison_types: StartingGarrison = "starting-garrison-types",
    /// Whether troops may hold a camp that its followers have left (dba3.set.16).
    camp_refill_after_followers: bool = "camp-refill-after-followers",
    /// Whether a victor enters what it stormed though its type could not occupy it (dba3.set.89).
    stormer_ignores_occupancy_bar: bool = "stormer-ignores-occupancy-bar",
    /// Which quarter is number 1 (dba3.set.1).
    quarter_one_corner: QuarterOne = "quarter-one-corner",
    /// Whether compulsory features of two sorts may be mixed (dba3.set.2).
    dry_mixed_compulsory: bool = "dry-mixed-compulsory",
    /// What either-or between two sorts of feature means (dba3.set.3).
    littoral_pair: LittoralPair = "littoral-pair",
    /// What must fit the size of one feature (dba3.set.4).
    hill_bua_size: HillBuaSize = "hill-bua-size",
    /// What counts as the one narrow feature (dba3.set.5).
    narrow_feature_scope: NarrowScope = "narrow-feature-scope",
    /// What Dunes and Oasis are to elements with camels (dba3.set.6).
    camel_sand_going: CamelSand = "camel-sand-going",
    /// Whether a Hamlet or Edifice is the bad or rough going that must be chosen (dba3.set.7).
    bua_as_difficult_feature: bool = "bua-as-difficult-feature",
    /// What becomes of equal aggression totals (dba3.set.17).
    aggression_tie: AggressionTie = "aggression-tie",
    /// Whether a road's edge or the Waterway goes first (dba3.set.18).
    road_edge_over_waterway: RoadEdge = "road-edge-over-waterway",
    /// Who may stand 2 BW from the side edges (dba3.set.19).
    deploy_2bw_types: NearSides = "deploy-2bw-types",
    /// Whether an element in its camp keeps off the side edges (dba3.set.20).
    camp_occupant_side_margin: CampMargin = "camp-occupant-side-margin",
    /// What a landing costs (dba3.set.21).
    landing_pips: LandingPips = "landing-pips",
    /// Whether those who landed may move in the same bound (dba3.set.22).
    landing_may_move: bool = "landing-may-move",
    /// Which features must reach into a neighbouring quarter (dba3.set.97).
    straddle_features: Straddle = "straddle-features",
    /// Whether a LITTORAL ally may land (dba3.set.98).
    littoral_ally_may_land: bool = "littoral-ally-may-land",
    /// Below what total of first PIP dice Plough is rough in a Big Battle (dba3.set.95).
    big_battle_plough_below: u8 = "big-battle-plough-below",
    /// Over what the losses of a Big Battle are compared (dba3.set.96).
    big_battle_loss_comparison: LossComparison = "big-battle-loss-comparison",
}

impl Settings {
    /// The ruleset's defaults: the preset `printed`.
    pub fn new(ruleset: Arc<Ruleset>) -> Self {
        Self::preset(ruleset, Preset::Printed)
    }

    /// DBA 3.0 with its defaults.
    pub fn dba3() -> Self {
        Self::new(Ruleset::dba3())
    }

    /// What most players do, where that differs from the default: the preset `community`.
    pub fn community(ruleset: Arc<Ruleset>) -> Self {
        Self::preset(ruleset, Preset::Community)
    }

    /// A preset of the ruleset's.
    pub fn preset(ruleset: Arc<Ruleset>, preset: Preset) -> Self {
        let words = preset.words(&ruleset);
        Self::of_words(ruleset, words, Origin { preset, event: None })
    }

    /// The same, pinned by an event of that name.
    #[must_use]
    pub fn pinned_by(&self, event: &str) -> Self {
        let origin = Origin { event: Some(event.into()), ..self.origin.clone() };
        Self::of_words(Arc::clone(&self.ruleset), (*self.words).clone(), origin)
    }

    /// What stands on every ruling made under them: the preset or the event, and what differs from the
    /// preset, such as `printed; tz-off-in-combat=true`.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// The preset that they go out from.
    pub fn preset_of(&self) -> Preset {
        self.origin.preset
    }

    /// The event that pinned them, where one did.
    pub fn event(&self) -> Option<&str> {
        self.origin.event.as_deref()
    }

    /// What differs from the preset: each setting and its word, by name.
    pub fn changes(&self) -> Vec<(&str, &str)> {
        let plain = self.origin.preset.words(&self.ruleset);
        self.words().filter(|(id, word)| plain.get(*id).is_none_or(|w| w != word)).collect()
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
            return Err(SettingError::Unknown {
                id: id.to_owned(),
                near: did_you_mean(id, self.words.keys().map(String::as_str)),
            });
        }
        let mut words = (*self.words).clone();
        words.insert(id.to_owned(), word.to_owned());
        Ok(Self::of_words(Arc::clone(&self.ruleset), words, self.origin.clone()))
    }

    /// Every other choice of every setting that the engine reads: the setting, the word, and these
    /// settings with it.
    pub fn others(&self) -> impl Iterator<Item = (String, String, Self)> + '_ {
        let read = self.ruleset.choice_settings().iter().filter(|s| self.ruleset.reads_setting(&s.id));
        read.flat_map(move |setting| {
            let now = self.word(&setting.id);
            let words = setting.choices.iter().filter(move |word| now != Some(word.as_str()));
            words.map(|word| {
                let other = self.with(&setting.id, word).expect("a choice of its own");
                (setting.id.clone(), word.clone(), other)
            })
        })
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
        assert!(said("tz-of-in-combat", "true").contains("did you mean `tz-off-in-combat`?"));
        assert!(said("tz-off-in-combat", "maybe").contains("true, false"));
        assert!(said("contact-gap-mm", "-1").contains("0 to 10"));
    }
}
