//! The plan in words, as a map in text, and as JSON.

use super::{KindPlan, Outlook, Place, PlacePlan, Plan, too_many};
use crate::markers::print::{Carrier, free_ids};
use crate::units::rounded;
use serde_json::{Value, json};

/// A tag that is hidden by more than this at a spot is marked.
const HIDDEN: f64 = 0.05;

impl Outlook {
    fn words(self) -> &'static str {
        match self {
            Self::Well => "every base is found, in any photograph",
            Self::Followed => {
                "bases are followed once they are found, but one that is put down may not be found at once"
            }
            Self::Poor => "IT WILL NOT WORK",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Well => "well",
            Self::Followed => "followed",
            Self::Poor => "poor",
        }
    }
}

/// The plan as lines of text.
pub fn plan_words(plan: &Plan) -> Vec<String> {
    let r = &plan.request;
    let (w, d) = r.table.board_mm;
    let mut lines = vec![format!(
        "Board {w:.0} x {d:.0} mm, base width {:.0} mm, {} elements; camera {}x{}, {:.0} degrees across",
        r.table.scale.mm_per_bw(),
        r.elements,
        r.lens.width,
        r.lens.height,
        r.lens.field_of_view_deg()
    )];
    let Some(best) = plan.best() else {
        let why = too_many(r).map_or_else(
            || "the camera sees the whole board from none of the places asked for".to_owned(),
            |too_few| too_few.to_string(),
        );
        lines.push(format!("IT WILL NOT WORK: {why}"));
        lines.extend(plan.would.iter().map(|w| format!("  what would: {w}")));
        return lines;
    };
    let eye = best.set_up.eye();
    lines.push(format!(
        "Camera: {}; its lens {:.0} mm over the board at x {:.0}, y {:.0}",
        best.set_up.place.name(),
        eye.z,
        eye.x,
        eye.y
    ));
    lines.push(format!("Tags: {}, {} ids for tables and armies", best.family, free_ids(best.family)));
    lines.push(verdict(plan, best));
    lines.extend(plan.would.iter().map(|w| format!("  what would: {w}")));
    lines.push(String::new());
    lines.push(
        "base mm   carried    tag mm  face mm  px/module  px/square  photograph  followed  off by mm: reading  jig  by eye"
            .to_owned(),
    );
    for kind in &best.kinds {
        lines.push(row(kind));
        lines.push(format!("          {}", kind.kind.codes.join(" ")));
    }
    lines.push(String::new());
    lines.extend(why(best));
    lines.push(String::new());
    lines.extend(others(plan));
    lines.extend(error_map(plan, best));
    lines.extend(hidden_map(plan, best));
    lines
}

fn verdict(plan: &Plan, best: &PlacePlan) -> String {
    let outlook = best.outlook();
    if outlook != Outlook::Poor {
        return format!("Outlook: {}", outlook.words());
    }
    let mut reasons = Vec::new();
    if !best.set_up.sees_all() {
        reasons.push(format!(
            "the camera does not see all of the board and the tags at its edges: {:.0} pixels are missing at the worst \
             corner",
            best.set_up.overhang_px
        ));
    }
    reasons.extend(best.ids.iter().map(ToString::to_string));
    for kind in best.kinds.iter().filter(|k| k.outlook == Outlook::Poor) {
        let hidden = kind.hidden.iter().copied().fold(0.0, f64::max);
        let why = if hidden > HIDDEN {
            format!("figures hide up to {:.0} % of the tag", 100.0 * hidden)
        } else {
            format!(
                "its tag of {} mm has {:.1} pixels at the worst spot",
                kind.mounted.size_mm,
                kind.least_px()
            )
        };
        let share = 100.0 * kind.found.1;
        let depth = kind.kind.base_mm.1;
        reasons.push(format!("bases {depth:.0} mm deep: {why}, and {share:.0} % of such are followed"));
    }
    if plan.would.is_empty() {
        reasons.push("nothing that was tried would do".to_owned());
    }
    format!("Outlook: {}: {}", outlook.words(), reasons.join("; "))
}

fn row(kind: &KindPlan) -> String {
    let carried = match kind.carrier {
        Carrier::Stalk | Carrier::Flag => format!("{} {:.0}", kind.carrier.name(), kind.mounted.height_mm),
        Carrier::Plate | Carrier::Flat => kind.carrier.name().to_owned(),
    };
    let module = kind.at.iter().flatten().map(|e| e.module_px).fold(f64::INFINITY, f64::min);
    format!(
        "{:>2.0} x {:<3.0}  {:9}  {:>6}  {:>7.1}  {:>9.1}  {:>9.1}  {:>8.0} %  {:>6.0} %  {:>18.2} {:>4.2}  {:>6.1}",
        kind.kind.base_mm.0,
        kind.kind.base_mm.1,
        carried,
        kind.mounted.size_mm,
        kind.face_mm,
        module,
        kind.least_px(),
        100.0 * kind.found.0,
        100.0 * kind.found.1,
        kind.rms(|e| e.reading_mm),
        kind.rms(|e| e.jig_mm),
        kind.rms(|e| e.by_eye_mm),
    )
}

/// Where the figures come from.
fn why(best: &PlacePlan) -> Vec<String> {
    let mut lines = vec![
        "Pixels and shares are of the worst spot; shares are what 20 tags of that many pixels gave in groma study size."
            .to_owned(),
        "Off by: RMS of a base's corners over the board. Reading: camera and picture alone. Jig: the mount measured with"
            .to_owned(),
        "groma jig. By eye: a mount set by eye to 1 mm and 2 degrees, a stalk upright to 2 degrees.".to_owned(),
        "Faces are as large as the base lets them be without sticking out, or as 22 pixels need.".to_owned(),
    ];
    if let Some(mm) = best.no_profile_mm {
        lines.push(format!(
            "Without a lens profile the reading is sure to {mm:.2} mm only: make one (groma calibrate lens)."
        ));
    }
    if best.kinds.iter().any(|k| k.carrier == Carrier::Stalk) {
        lines.push(
            "Stalks: a flag carries a tag as high. On deep bases plates behind the figures are steadier where they are seen."
                .to_owned(),
        );
    }
    lines
}

fn others(plan: &Plan) -> Vec<String> {
    let mut lines = vec!["places tried, the best first                     lens high mm  outlook   worst px  jig mm  flat tags hidden".to_owned()];
    for p in &plan.places {
        let px = p.hardest().map_or(0.0, KindPlan::least_px);
        let hidden = p.flat_hidden.iter().copied().fold(0.0, f64::max);
        lines.push(format!(
            "  {:46} {:>12.0}  {:9} {:>8.1}  {:>6.2}  up to {:.0} %",
            p.set_up.place.name(),
            p.set_up.eye().z,
            p.outlook().name(),
            px,
            p.error_mm(),
            100.0 * hidden
        ));
    }
    let missing = plan.request.places.iter().filter(|a| !plan.places.iter().any(|p| p.set_up.place == **a));
    let missing: Vec<String> = missing.copied().map(Place::name).collect();
    if !missing.is_empty() {
        lines.push(format!("  not possible, on the board itself or not seeing it: {}", missing.join("; ")));
    }
    lines.push(String::new());
    lines
}

/// Spots from the far edge to the near one, each as `cell` writes it.
fn map(plan: &Plan, cell: impl Fn(usize) -> String) -> Vec<String> {
    let rows = plan.spots.len() / plan.columns.max(1);
    let row = |r: usize| {
        let cells: Vec<String> = (0..plan.columns).map(|c| cell(r * plan.columns + c)).collect();
        format!("  {}", cells.join(" "))
    };
    (0..rows).rev().map(row).collect()
}

fn error_map(plan: &Plan, best: &PlacePlan) -> Vec<String> {
    let Some(kind) = best.hardest() else { return Vec::new() };
    let cell = |n: usize| match kind.at[n] {
        Some(_) if kind.hidden[n] > HIDDEN => "  ##".to_owned(),
        Some(e) => format!("{:>4.0}", 1000.0 * e.reading_mm),
        None => "   .".to_owned(),
    };
    let mut lines = vec![format!(
        "Reading error of bases {:.0} mm deep, thousandths of a millimetre; far edge above (## hidden, . out of the picture)",
        kind.kind.base_mm.1
    )];
    lines.extend(map(plan, cell));
    lines
}

fn hidden_map(plan: &Plan, best: &PlacePlan) -> Vec<String> {
    if best.flat_hidden.iter().all(|h| *h <= 0.0) {
        return vec!["Figures hide nothing of a flat tag behind them, anywhere on the board.".to_owned()];
    }
    let f = plan.request.figures;
    let mut lines = vec![format!(
        "Hidden of a flat tag behind figures {:.0} mm high, turned the worst way, per cent",
        f.height_mm
    )];
    lines.extend(map(plan, |n| format!("{:>4.0}", 100.0 * best.flat_hidden[n])));
    lines
}

/// The plan for machines: one object.
pub fn plan_json(plan: &Plan) -> Value {
    let r = &plan.request;
    let mm = |v: f64| json!(rounded(v, 3));
    let kind = |k: &KindPlan| {
        json!({
            "base_mm": [k.kind.base_mm.0, k.kind.base_mm.1], "troops": k.kind.codes,
            "carrier": k.carrier.name(), "size_mm": k.mounted.size_mm, "face_mm": mm(k.face_mm),
            "forward_mm": mm(k.mounted.forward_mm), "height_mm": mm(k.mounted.height_mm),
            "square_px": mm(k.least_px()), "found_in_photograph": mm(k.found.0), "found_followed": mm(k.found.1),
            "reading_mm": mm(k.rms(|e| e.reading_mm)), "jig_mm": mm(k.rms(|e| e.jig_mm)),
            "by_eye_mm": mm(k.rms(|e| e.by_eye_mm)), "outlook": k.outlook.name(),
        })
    };
    let place = |p: &PlacePlan| {
        let eye = p.set_up.eye();
        json!({
            "place": p.set_up.place.name(), "eye_mm": [mm(eye.x), mm(eye.y), mm(eye.z)], "sees_all": p.set_up.sees_all(),
            "family": p.family.name(), "outlook": p.outlook().name(), "no_profile_mm": p.no_profile_mm.map(mm),
            "bases": p.kinds.iter().map(kind).collect::<Vec<_>>(),
        })
    };
    json!({
        "board_mm": [r.table.board_mm.0, r.table.board_mm.1], "base_width_mm": r.table.scale.mm_per_bw(),
        "elements": r.elements, "camera": [r.lens.width, r.lens.height],
        "field_of_view_deg": mm(r.lens.field_of_view_deg()), "outlook": plan.outlook().name(),
        "what_would": plan.would, "places": plan.places.iter().map(place).collect::<Vec<_>>(),
    })
}
