//! The closed choices of the settings that the engine reads by type.

/// A closed choice that a setting's words name.
pub trait Choice: Sized + Copy {
    /// The choice of that word.
    fn of_word(word: &str) -> Option<Self>;
}

impl Choice for u8 {
    fn of_word(word: &str) -> Option<Self> {
        word.parse().ok()
    }
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

pub(super) use choice;

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
    /// Over what the losses of a Big Battle are compared (clause dba3.set.96).
    LossComparison {
        /// The whole battle so far.
        WholeBattle = "whole-battle",
        /// The bound that ends.
        ThisBound = "this-bound",
    }
}
choice! {
    /// What Dunes and Oasis are to elements with camels (clause dba3.set.6).
    CamelSand {
        /// Good going.
        Good = "good",
        /// Rough going.
        Rough = "rough",
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
    /// How much of one target edge must lie in arc and range (clause dba3.sht.6).
    TargetEdge {
        /// A point.
        Point = "0.0",
        /// Half a base width.
        HalfBw = "0.5",
        /// A whole base width.
        OneBw = "1.0",
    }
}

impl TargetEdge {
    /// In base widths.
    pub fn bw(self) -> f64 {
        match self {
            Self::Point => 0.0,
            Self::HalfBw => 0.5,
            Self::OneBw => 1.0,
        }
    }
}

choice! {
    /// Who rolls of several that shoot at one target (clause dba3.sht.16).
    PrimaryShooter {
        /// The one that it shoots back at, else whom the player picks whose bound it is.
        MutualThenBoundingPlayer = "mutual-then-bounding-player",
        /// The one that it shoots back at, else whom the shooters' player picks.
        MutualThenOwner = "mutual-then-owner",
        /// Whom the player picks whose bound it is.
        BoundingPlayer = "bounding-player",
    }
}
choice! {
    /// Which lines from shooting edge to target edge must be clear (clause dba3.sht.26).
    SightTest {
        /// All four from end to end.
        FourCornerLines = "four-corner-lines",
        /// One of the four.
        AnyClearLine = "any-clear-line",
        /// That from middle to middle.
        CentreLine = "centre-line",
    }
}
choice! {
    /// Whether elements in close combat shoot and are shot at (clause dba3.sht.27).
    ShootingInCombat {
        /// They do not.
        Forbidden = "forbidden",
        /// They do.
        Allowed = "allowed",
    }
}
choice! {
    /// Whose shots on the rear edge turn a target round (clause dba3.set.80).
    RearShot {
        /// Those of any shooter.
        AnyShooter = "any-shooter",
        /// Those of the one that rolls.
        PrimaryShooter = "primary-shooter",
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
choice! {
    /// What a free road move that troops or a zone cut short costs (clause dba3.set.23).
    RoadBlocked {
        /// Nothing, where it goes as far as it can.
        AsFarAsPossible = "as-far-as-possible",
        /// As much as any move.
        FullOnly = "full-only",
    }
}
choice! {
    /// Between which points command distance is measured (clause dba3.set.28).
    CommandPoints {
        /// The nearest points of the general and of the group's nearest element.
        NearestElement = "nearest-part-of-nearest-element",
        /// The nearest points of the general and of the group's farthest element.
        FarthestElement = "nearest-part-of-farthest-element",
        /// The nearest point of the general and the farthest of the group.
        FarthestPart = "farthest-part",
    }
}
choice! {
    /// Which straight lines from the general must cross a feature that hides (clause dba3.set.29).
    CommandBeyond {
        /// All of them.
        AllLines = "all-lines",
        /// The line between the middles.
        CentreLine = "centre-line",
        /// Any of them.
        AnyLine = "any-line",
    }
}
choice! {
    /// How a move's length is measured (clause dba3.set.36).
    MoveMeasure {
        /// Straight from start to end, detours added.
        Chord = "chord",
        /// Leg by leg.
        SumOfLegs = "sum-of-legs",
    }
}
choice! {
    /// Which edge a gap must be wide enough for (clause dba3.set.30).
    LeadingEdge {
        /// The one that leads in the direction of travel.
        TravelDirection = "travel-direction",
        /// The front edge.
        FrontEdge = "front-edge",
    }
}
choice! {
    /// How falling back into a column is tested (clause dba3.set.35).
    ColumnForming {
        /// Neither front corner may end behind the old front line.
        EachFrontCorner = "each-front-corner",
        /// The middle of the front edge may not.
        FrontEdgeMiddle = "front-edge-middle",
    }
}
choice! {
    /// Where a second move of Psiloi may end (clause dba3.set.38).
    PsiloiSecondMove {
        /// Partly in bad or rough going.
        BadOrRough = "bad-or-rough",
        /// Partly in bad going.
        BadOnly = "bad-only",
    }
}
choice! {
    /// How an element that passed through friends must face (clause dba3.set.40).
    PassageFacing {
        /// As they do, or the opposite way.
        SameOrOpposite = "same-or-opposite",
        /// As they do.
        Same = "same",
    }
}
choice! {
    /// What closing up on a threatening enemy asks for (clause dba3.set.49).
    ZoneProgress {
        /// Nearer to its front line, angle and offset no worse.
        NearerAndNoWorse = "nearer-and-no-worse",
        /// Nearer to its front line.
        NearerOnly = "nearer-only",
        /// Lined up with it, or in contact.
        MustLineUp = "must-line-up",
    }
}
choice! {
    /// What a recoil over the board's edge does (clause dba3.set.81).
    RecoilBoardEdge {
        /// It ends there.
        Stop = "stop",
        /// The element is lost.
        Lost = "lost",
    }
}
choice! {
    /// Who behind a pushed element is pushed with it (clause dba3.set.82).
    PushBackChain {
        /// Everyone down the column.
        WholeColumn = "whole-column",
        /// Nobody: the first stops where the next stands.
        FirstOnly = "first-only",
    }
}
choice! {
    /// What becomes of a recoiler whose pushed friend is stopped (clause dba3.set.83).
    PushBackBlocked {
        /// It stops against it.
        PusherStops = "pusher-stops",
        /// It is destroyed.
        PusherDestroyed = "pusher-destroyed",
    }
}
choice! {
    /// When those on an enemy's flank or rear fall back with the friend at its front (clause dba3.set.85).
    FlankAttackersRecoil {
        /// When that friend recoils, flees or is destroyed.
        RecoilFleeDestroyed = "recoil-flee-destroyed",
        /// When it is destroyed.
        DestroyedOnly = "destroyed-only",
        /// Never.
        Never = "never",
    }
}
choice! {
    /// What becomes of a flank attacker that should fall back and has no room (clause dba3.set.86).
    FlankAttackerNoRoom {
        /// It is destroyed.
        Destroyed = "destroyed",
        /// It stays.
        Stands = "stands",
    }
}
choice! {
    /// Whether the turn at a side edge uses flight distance (clause dba3.set.87).
    FleeEdgePivot {
        /// It uses none.
        Free = "free",
        /// The furthest corner's way counts.
        Counts = "counts",
    }
}
choice! {
    /// What becomes of a fleer that comes to a river where a road crosses it (clause dba3.set.88).
    FleeAtCrossing {
        /// It is destroyed as in any river.
        Destroyed = "destroyed",
        /// It gets over.
        Safe = "safe",
    }
}
choice! {
    /// When the die for a river is rolled (clause dba3.set.101).
    RiverRoll {
        /// As the first part of an element enters the water.
        FirstEntry = "first-entry",
        /// When a move that enters it is declared, before it is made.
        MoveDeclared = "move-declared",
    }
}
choice! {
    /// What becomes of who gave rear support to an element that is destroyed (clause dba3.sup.18).
    SupporterAfter {
        /// It stays where it is.
        Stays = "stays",
        /// It recoils.
        Recoils = "recoils",
        /// It is destroyed too.
        Dies = "dies",
    }
}
choice! {
    /// When an undefended camp is sacked (clause dba3.set.93).
    CampSackedWhen {
        /// As soon as an enemy element moves in.
        EnemyEnters = "enemy-enters",
        /// Only where its defenders were destroyed.
        DefendersDestroyed = "defenders-destroyed",
    }
}
choice! {
    /// What comes of a pursuit contact that neither side can line up (clause dba3.set.92).
    PursuitNoLineUp {
        /// They fight as if conformed, the contacted one overlapped.
        FightOverlapped = "fight-overlapped",
        /// They do not fight.
        NoCombat = "no-combat",
    }
}
choice! {
    /// What marching through a City costs (clause dba3.set.8).
    CityPassagePips {
        /// One PIP an element, and no more.
        PerElement = "per-element",
        /// That and the price of the move.
        PerElementPlusMove = "per-element-plus-move",
    }
}
choice! {
    /// How far a passage through a City may take the movers (clause dba3.set.9).
    CityPassageLength {
        /// From gate to gate, whatever the distance.
        GateToGate = "gate-to-gate",
        /// No further than they move.
        MoveDistance = "move-distance",
    }
}
choice! {
    /// Whether denizens defend a City whose garrison was destroyed (clause dba3.set.10).
    DenizensAfterGarrison {
        /// They do not.
        Never = "never",
        /// They do where it was shot.
        IfShot = "if-shot",
        /// They do.
        Always = "always",
    }
}
choice! {
    /// When a sacker is free that rolled a 5 or 6 (clause dba3.set.11).
    SackEnd {
        /// In that bound.
        SameBound = "same-bound",
        /// In its next bound.
        NextBound = "next-bound",
    }
}
choice! {
    /// Which part of sallied denizens must stay near their City (clause dba3.set.12).
    DenizenLeash {
        /// Every part.
        EveryPart = "every-part",
        /// The nearest.
        NearestPart = "nearest-part",
    }
}
choice! {
    /// Which Cities may revolt (clause dba3.set.13).
    RevoltScope {
        /// One that surrendered in this game, or was taken earlier.
        ThisGameOrEarlier = "this-game-or-earlier",
        /// One that was taken earlier in the campaign.
        EarlierOnly = "earlier-only",
    }
}
choice! {
    /// Who may not occupy a Fort (clause dba3.set.14).
    FortBarred {
        /// Those who may not occupy a City.
        AsCity = "as-city",
        /// Nobody.
        None = "none",
    }
}
choice! {
    /// Which foot may be the first garrison (clause dba3.set.15).
    StartingGarrison {
        /// All but War Wagons.
        ExceptWagons = "foot-except-wwg",
        /// All but War Wagons and Artillery.
        ExceptWagonsAndArtillery = "foot-except-wwg-art",
        /// All.
        AnyFoot = "any-foot",
    }
}
choice! {
    /// At which water a camp may stand (clause dba3.faq.3).
    CampWaterside {
        /// At water that forms its side's rear edge.
        OnlyAsRearEdge = "only-as-rear-edge",
        /// At any water in its own half.
        AnyOwnHalf = "any-own-half",
    }
}
