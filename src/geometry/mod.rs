//! Poses, footprints and margins in the table frame.
//!
//! Frame: the table's, millimetres, x right, y away ([crate]). Pure: no input or output, no camera,
//! no rules, no troops. Invariant: a predicate gives a signed [`Margin`] with the two features that
//! bind it, never a bare `bool`.

mod area;
mod carry;
pub mod convex;
mod fitted;
mod footing;
mod footprint;
mod heading;
mod margin;
mod pieces;
mod polygon;
mod pose;
mod relief;
mod segment;
mod separation;
mod sweep;
mod uncertainty;

pub use area::{area_gap, gap_to_area, of_base, of_ground, room_inside_area, separation_from_area};
pub use carry::Carry;
pub use convex::Gap;
pub use fitted::{Fitted, across_centre, fitted};
pub use footing::{Footing, FromAbove, Rest, Support};
pub use footprint::{Corner, Edge, Footprint};
pub use heading::Heading;
pub use margin::{Binding, Feature, Limit, Margin, Part, Whose};
pub use polygon::{Polygon, PolygonError};
pub use pose::Pose;
pub use relief::{Hill, HillError, Relief, Rise};
pub use segment::{Line, Segment};
pub use separation::{Separation, separation};
pub use sweep::{Clearance, FINE_SHARE, Leg, Sweep, convex_separation, without_corner};
pub use uncertainty::{
    JointCovariance, MountTerm, PoseEstimate, Sensitivity, Source, normal_cdf, relative_covariance,
};

/// A point of the table, millimetres.
pub type Point = nalgebra::Point2<f64>;
/// A displacement on the table, millimetres.
pub type Vector = nalgebra::Vector2<f64>;
