//! The closed choices of settings about what happens before the battle.

use super::choices::{Choice, choice};

choice! {
    /// Which quarter is number 1 (clause dba3.set.1).
    QuarterOne {
        /// The near left one, as the defender sees it.
        NearLeft = "near-left",
        /// The far left one.
        FarLeft = "far-left",
    }
}
choice! {
    /// What either-or between two sorts of feature means (clause dba3.set.3).
    LittoralPair {
        /// One sort of the two, several features of it.
        OneType = "one-type",
        /// One feature of the two sorts in all.
        OneFeature = "one-feature",
        /// Nothing.
        NoLimit = "no-limit",
    }
}
choice! {
    /// What must fit the size of one feature (clause dba3.set.4).
    HillBuaSize {
        /// A hill and the City or Fort merged with it, together.
        Combined = "combined",
        /// Each by itself.
        Separate = "separate",
    }
}
choice! {
    /// What counts as the one narrow feature (clause dba3.set.5).
    NarrowScope {
        /// Area features.
        AreaFeatures = "area-features",
        /// Area features but a Gully.
        ExceptGully = "area-features-except-gully",
        /// Every feature.
        AllFeatures = "all-features",
    }
}
choice! {
    /// What becomes of equal totals (clause dba3.set.17).
    AggressionTie {
        /// Both roll again.
        Reroll = "reroll",
        /// The side with the higher factor invades.
        HigherInvades = "higher-aggression-invades",
    }
}
choice! {
    /// Whether a road's edge or the Waterway goes first (clause dba3.set.18).
    RoadEdge {
        /// With a road the Waterway bars no edge.
        RoadFirst = "road-first",
        /// The edge across from a Waterway is barred all the same.
        WaterwayFirst = "waterway-first",
    }
}
choice! {
    /// Who may stand 2 BW from the side edges (clause dba3.set.19).
    NearSides {
        /// Those that are printed.
        Printed = "printed",
        /// Camelry and mounted infantry too.
        WithCamelry = "with-camelry-and-mounted-infantry",
    }
}
choice! {
    /// Whether an element in its camp keeps off the side edges (clause dba3.set.20).
    CampMargin {
        /// It need not.
        Exempt = "exempt",
        /// It must.
        Applies = "applies",
    }
}
choice! {
    /// What a landing costs (clause dba3.set.21).
    LandingPips {
        /// Nothing.
        Free = "0",
        /// One PIP.
        One = "1",
    }
}
choice! {
    /// Which features must reach into a neighbouring quarter (clause dba3.set.97).
    Straddle {
        /// Plough and linear features.
        PloughAndLinear = "plough-and-linear",
        /// Linear features.
        LinearOnly = "linear-only",
        /// None.
        Optional = "optional",
    }
}
