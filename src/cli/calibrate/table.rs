//! `groma calibrate table`: where the reference tags really lie, from a few pictures and one known length.

use super::tag_spec::{TAPE_SIGMA_MM, length, pair, tag_at, tag_named, tags};
use crate::cli::inputs::decimal;
use crate::cli::inputs::{lens_profile, table_file};
use crate::cli::outputs::{self, Kind, Output};
use crate::cli::pictures::Pictures;
use crate::cli::{Failure, say};
use crate::geometry::{Heading, Vector};
use crate::judge::{Table, parse_table, rounded, table_text};
use crate::rules::Ground;
use crate::text::today;
use crate::tracking::{ReferenceTag, Tag};
use crate::units::Scale;
use crate::vision::calibration::OneSize;
use crate::vision::calibration::table::{
    Anchor, LensCheck, MeasuredTag, TableCalibration, TableFinder, TableView, TagToPlace, calibrate_table,
};
use crate::vision::{LensProfile, open_source};
use anyhow::{Error, anyhow};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

/// Measures where the reference tags really lie, from a few pictures and one known length.
///
/// Lay the tags anywhere round the board, flat, and let them lie. Photograph all of them three to eight
/// times, from different sides, the camera leaning 20 to 45 degrees in some pictures. Measure the distance
/// between the centres of two tags that lie far apart.
#[derive(Debug, Args)]
pub struct TableArgs {
    /// Pictures, folders, a video, or `camera:N`.
    #[arg(required = true)]
    source: Vec<String>,
    /// The table file to be measured again: its board, sizes and heights are kept.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["board", "tags"])]
    table: Option<PathBuf>,
    /// Without a table file: the playing area, WIDTHxDEPTH in mm.
    #[arg(long, value_name = "WxD")]
    board: Option<String>,
    /// Without a table file: the reference tags, FAMILY:SIZE_MM:FIRST-LAST, as tag36h11:40:0-7. May be given
    /// more than once.
    #[arg(long, value_name = "TAGS")]
    tags: Vec<String>,
    /// Without a table file: one base width, mm.
    #[arg(long, value_parser = decimal, value_name = "MM", default_value_t = 40.0)]
    base_width: f64,
    /// A measured distance between the centres of two tags, TAG-TAG=MM, as 0-2=933.4; with another sigma
    /// than 0.3 mm as 0-2=933.4+-0.1. May be given more than once.
    #[arg(long, value_name = "A-B=MM")]
    length: Vec<String>,
    /// Tags whose places in the table file are right, to 0.3 mm: two or more, as 0,2. They set frame and
    /// scale together.
    #[arg(long, value_name = "TAGS", value_delimiter = ',', requires = "table")]
    known: Vec<String>,
    /// The tag that sets the frame's place: TAG, where the table file has it, or TAG@X,Y. By default the
    /// table file's first tag that shows.
    #[arg(long, value_name = "TAG", conflicts_with = "known")]
    origin: Option<String>,
    /// The tag that sets the frame's turn: TAG, which lies from the origin as in the table file, or TAG@DEG,
    /// the direction from the origin's centre, 0 being along the near edge. By default the tag farthest
    /// from the origin.
    #[arg(long, value_name = "TAG", conflicts_with = "known")]
    along: Option<String>,
    /// The camera's lens profile, which the tags then check. Without one the lens is estimated.
    #[arg(long, value_name = "FILE")]
    lens: Option<PathBuf>,
    /// Pictures taken from a live source or a video, each from another place.
    #[arg(long, value_name = "N", default_value_t = 8)]
    views: usize,
    /// Where to write the table file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// One JSON object a line.
    #[arg(long)]
    json: bool,
}

/// Runs it.
///
/// # Errors
/// Wrong use: no scale, tags that are none. A failed job: sources that cannot be read, pictures that give
/// no table.
pub fn run(args: &TableArgs) -> Result<(), Failure> {
    let output = args.out.as_ref().map(|path| Output { option: "--out", path, kind: Kind::Table });
    outputs::check(output.as_slice())?;
    let written = args.table.as_deref().map(table_file).transpose()?;
    let to_place = args.to_place(written.as_ref())?;
    let names: Vec<Tag> = to_place.iter().map(|t| t.tag).collect();
    // Wrong words are told before pictures are read.
    args.anchors(&to_place, &names, &names)?;
    let lens = args.lens.as_deref().map(lens_profile).transpose()?;
    let mut pictures = Pictures::of(&args.source, |spec| Ok(open_source(spec).map_err(Error::from)?));
    let (views, size) = gather(args, &to_place, lens.as_ref(), &mut pictures)?;
    let shown: Vec<Tag> = names
        .iter()
        .copied()
        .filter(|t| views.iter().any(|v| v.sights.iter().any(|s| s.tag == *t)))
        .collect();
    let anchors = args.anchors(&to_place, &names, &shown)?;
    let found = calibrate_table(&views, &to_place, &anchors, size, lens.as_ref().map(|p| &p.lens))
        .map_err(Error::from)?;
    let table = args.new_table(written.as_ref(), &found)?;
    let notes = notes(&found, &anchors, lens.as_ref());
    let of_tag = |tag: &ReferenceTag| match found.tags.iter().find(|m| m.place.tag == tag.tag) {
        Some(m) => about(m, written.as_ref()),
        None => "in no picture: its place is as it was written before".to_owned(),
    };
    let text = table_text(&table, &notes, of_tag);
    if let Some(path) = &args.out {
        parse_table(&path.display().to_string(), &text).map_err(|mistakes| {
            anyhow!("what was measured makes no table, so nothing was written:\n{mistakes}")
        })?;
        outputs::write(&[(path, text.as_bytes())])?;
    }
    tell(args, &found, written.as_ref(), &notes);
    pictures.outcome("the table is measured")
}

impl TableArgs {
    /// The tags to be measured, with what is known of each.
    fn to_place(&self, written: Option<&Table>) -> Result<Vec<TagToPlace>, Failure> {
        if let Some(table) = written {
            let one = |r: &ReferenceTag| TagToPlace {
                tag: r.tag,
                size_mm: r.size_mm,
                z_mm: r.z_mm,
                written: Some((r.x_mm, r.y_mm, r.rotation_deg)),
            };
            return Ok(table.reference.iter().map(one).collect());
        }
        if self.board.is_none() || self.tags.is_empty() {
            return Err(Failure::Use(
                "name the table file to be measured again (--table FILE), or the board and its tags: \
                 --board 600x600 --tags tag36h11:40:0-7"
                    .to_owned(),
            ));
        }
        self.board_mm()?;
        let mut list: Vec<TagToPlace> = Vec::new();
        for text in &self.tags {
            for (tag, size_mm) in tags(text).map_err(Failure::Use)? {
                if list.iter().any(|t| t.tag == tag) {
                    return Err(Failure::Use(format!("--tags names {tag} twice: each tag has one size")));
                }
                list.push(TagToPlace { tag, size_mm, z_mm: 0.0, written: None });
            }
        }
        Ok(list)
    }

    /// What fixes frame and scale. `names` are all tags, `shown` those that may be chosen by default.
    fn anchors(&self, tags: &[TagToPlace], names: &[Tag], shown: &[Tag]) -> Result<Vec<Anchor>, Failure> {
        let wrong = Failure::Use;
        let written = |tag: Tag| tags.iter().find(|t| t.tag == tag).and_then(|t| t.written);
        let mut anchors = Vec::new();
        for text in &self.length {
            anchors.push(length(text, names).map_err(wrong)?);
        }
        if !self.known.is_empty() {
            for text in &self.known {
                let tag = tag_named(text, names).map_err(wrong)?;
                if let Some((x, y, _)) = written(tag) {
                    anchors.push(Anchor::Place { tag, at: (x, y), sigma_mm: TAPE_SIGMA_MM });
                }
            }
            if self.known.len() < 2 {
                return Err(wrong("--known needs two tags at least, far apart, as --known 0,2".to_owned()));
            }
            return Ok(anchors);
        }
        if anchors.is_empty() {
            return Err(wrong(
                "nothing sets the scale: give one measured distance between two tags' centres (--length 0-2=933.4), \
                 or two tags whose places in the table file are right (--known 0,2)"
                    .to_owned(),
            ));
        }
        let (origin, at) = match &self.origin {
            Some(text) => tag_at(text, names).map_err(wrong)?,
            None => (
                *shown.first().or(names.first()).ok_or_else(|| wrong("the table names no tag".to_owned()))?,
                None,
            ),
        };
        let at = match (at, written(origin)) {
            (Some(text), _) => pair(text, ',')
                .ok_or_else(|| wrong(format!("--origin TAG@X,Y: \"{text}\" is no place in mm")))?,
            (None, Some((x, y, _))) => (x, y),
            (None, None) => {
                return Err(wrong(format!(
                    "nothing says where the board is: give one tag's place in mm from its near left corner, \
                     as --origin {}@-30,-30",
                    origin.id
                )));
            }
        };
        anchors.push(Anchor::Place { tag: origin, at, sigma_mm: 1e-3 });
        anchors.push(self.direction(origin, names, shown, &written)?);
        Ok(anchors)
    }

    fn direction(
        &self,
        origin: Tag,
        names: &[Tag],
        shown: &[Tag],
        written: &impl Fn(Tag) -> Option<(f64, f64, f64)>,
    ) -> Result<Anchor, Failure> {
        let between = |to: Tag| {
            let ((ax, ay, _), (bx, by, _)) = (written(origin)?, written(to)?);
            Some(Vector::new(bx - ax, by - ay))
        };
        let farthest = || {
            let away = |t: &Tag| between(*t).map_or(0.0, |d| d.norm());
            shown.iter().copied().filter(|t| *t != origin).max_by(|a, b| away(a).total_cmp(&away(b)))
        };
        let (to, degrees) = match &self.along {
            Some(text) => tag_at(text, names).map_err(Failure::Use)?,
            None => match farthest().filter(|t| between(*t).is_some()) {
                Some(tag) => (tag, None),
                None => {
                    return Err(Failure::Use(
                        "nothing says how the board is turned: name a tag that lies straight to the right of the \
                         origin's (--along 1), or its direction in degrees (--along 1@90)"
                            .to_owned(),
                    ));
                }
            },
        };
        if to == origin {
            return Err(Failure::Use(format!("--along {to}: that is the origin itself; name another tag")));
        }
        let degrees = match degrees {
            Some(text) => text.trim().parse().ok().filter(|d: &f64| d.abs() <= 360.0).ok_or_else(|| {
                Failure::Use(format!("--along TAG@DEG: \"{text}\" is no direction from -360 to 360 degrees"))
            })?,
            None => between(to).and_then(Heading::along).map_or(0.0, Heading::degrees),
        };
        Ok(Anchor::Direction { from: origin, to, degrees })
    }

    fn board_mm(&self) -> Result<(f64, f64), Failure> {
        let text = self.board.as_deref().unwrap_or_default();
        pair(text, 'x')
            .filter(|(w, d)| (50.0..=10_000.0).contains(w) && (50.0..=10_000.0).contains(d))
            .ok_or_else(|| Failure::Use(format!("--board {text}: expected WIDTHxDEPTH in mm, as 600x600")))
    }

    /// The table file's content with the measured places.
    fn new_table(&self, written: Option<&Table>, found: &TableCalibration) -> Result<Table, Failure> {
        let measured = |tag: Tag| found.tags.iter().find(|m| m.place.tag == tag).map(|m| m.place);
        if let Some(table) = written {
            let reference = table.reference.iter().map(|r| measured(r.tag).unwrap_or(*r)).collect();
            return Ok(Table { reference, ..table.clone() });
        }
        let board_mm = self.board_mm()?;
        let scale = Scale::new(self.base_width)
            .ok_or_else(|| Failure::Use(format!("--base-width {}: more than 0 mm", self.base_width)))?;
        Ok(Table {
            board_mm,
            scale,
            reference: found.tags.iter().map(|m| m.place).collect(),
            ground: Ground::default(),
            feature_tags: Vec::new(),
            red_edge: None,
        })
    }
}

fn gather(
    args: &TableArgs,
    tags: &[TagToPlace],
    lens: Option<&LensProfile>,
    pictures: &mut Pictures<'_>,
) -> Result<(Vec<TableView>, (usize, usize)), Failure> {
    let sizes = tags.iter().map(|t| (t.tag, t.size_mm)).collect();
    let mut finder = TableFinder::new(sizes).map_err(Error::from)?;
    let mut views: Vec<TableView> = Vec::new();
    let mut size = OneSize::default();
    while let Some(mut source) = pictures.next_source()? {
        let (still, begun) = (source.unrelated(), views.len());
        while let Some(frame) = pictures.next_frame(source.as_mut())? {
            let own = (frame.grey.width(), frame.grey.height());
            let unfit = lens.and_then(|l| l.unfit_for(own.0, own.1, source.device().as_deref()));
            let unfit = unfit.map(|why| format!("{}: {why}", frame.label));
            if let Some(why) = unfit.or_else(|| size.check(&frame.label, own).err().map(|e| e.to_string())) {
                if still {
                    pictures.pass_over(&why);
                    continue;
                }
                return Err(Failure::Job(anyhow!("{why}")));
            }
            let view = finder.find(&frame.label, &frame.grey);
            if view.sights.len() < 2 {
                if still {
                    note!("groma: {}: fewer than two of the table's tags show; it is left out", frame.label);
                }
                continue;
            }
            if !still && !differs(&view, &views, own) {
                continue;
            }
            views.push(view);
            if !still && !args.json {
                say(format!("picture {} of {}; move the camera", views.len() - begun, args.views));
            }
            if !still && views.len() - begun >= args.views {
                break;
            }
        }
    }
    let size = size
        .get()
        .ok_or_else(|| anyhow!("no picture was read: name pictures, a folder, a video or camera:N"))?;
    Ok((views, size))
}

/// Whether a live view's tags lie elsewhere in the picture than in every view before: by a twentieth of it.
fn differs(view: &TableView, views: &[TableView], size: (usize, usize)) -> bool {
    let least = size.0.max(size.1) as f64 / 20.0;
    views.iter().all(|old| {
        let mut most = 0.0f64;
        for s in &view.sights {
            if let Some(o) = old.sights.iter().find(|o| o.tag == s.tag) {
                most = most.max((s.corners_px.top_left - o.corners_px.top_left).norm());
            }
        }
        most > least
    })
}

/// What is written at the file's head, and said.
fn notes(found: &TableCalibration, anchors: &[Anchor], lens: Option<&LensProfile>) -> Vec<String> {
    let used: usize = found.views.iter().filter(|v| v.used > 0).count();
    let by = match lens {
        Some(p) => format!("the lens profile of \"{}\", made {}", p.camera, p.date),
        None => "a lens estimated with it".to_owned(),
    };
    let mut notes =
        vec![format!("Measured {} from {used} pictures with {by}: error {:.3} px.", today(), found.rms_px)];
    for anchor in anchors {
        notes.push(match anchor {
            Anchor::Place { tag, at, sigma_mm } if *sigma_mm < 0.01 => {
                format!("Frame: {tag} lies at ({:.1}, {:.1}) by definition.", at.0, at.1)
            }
            Anchor::Place { tag, at, sigma_mm } => {
                format!("Frame and scale: {tag} lies at ({:.1}, {:.1}), +- {sigma_mm} mm.", at.0, at.1)
            }
            Anchor::Direction { from, to, degrees } => {
                format!(
                    "Frame: {to} lies from {from} in the direction of {degrees:.3} degrees by definition."
                )
            }
            Anchor::Length { from, to, mm, sigma_mm } => {
                format!("Scale: {from} and {to} are {mm} +- {sigma_mm} mm apart, as measured by hand.")
            }
            Anchor::Prints { share } => {
                format!("Scale: the tags are of the size that was given, +- {:.1} %.", 100.0 * share)
            }
        });
    }
    let (factor, sigma) = found.size_factor;
    notes.push(format!(
        "The tags are printed at {:.2} +- {:.2} % of the size that was given; sizes below are true sizes.",
        100.0 * factor,
        100.0 * sigma
    ));
    notes
}

/// A measured tag in a line.
fn about(m: &MeasuredTag, written: Option<&Table>) -> String {
    let mut text = format!(
        "+- {:.2} mm, {:.2} degrees; fits to {:.3} px in {} pictures",
        m.sigma_mm, m.sigma_deg, m.residual_px, m.views
    );
    if let Some(moved) = moved_mm(m, written) {
        text.push_str(&format!("; {moved:.2} mm from where it was written"));
    }
    if m.left_out > 0 {
        text.push_str(&format!(
            "\nleft out of {} pictures, where it does not fit: was it moved, or covered?",
            m.left_out
        ));
    }
    text
}

fn moved_mm(m: &MeasuredTag, written: Option<&Table>) -> Option<f64> {
    let old = written?.reference.iter().find(|r| r.tag == m.place.tag)?;
    Some((old.x_mm - m.place.x_mm).hypot(old.y_mm - m.place.y_mm))
}

/// What the tags say of the lens, in plain words, and whether it is a warning.
fn lens_words(check: &LensCheck, fov_deg: f64) -> (String, bool) {
    match check {
        LensCheck::Estimated { focal_sigma } => (
            format!(
                "lens estimated: field of view {fov_deg:.1} degrees, focal length +- {:.2} %; a lens profile makes places surer",
                100.0 * focal_sigma
            ),
            false,
        ),
        LensCheck::Agrees(c) => (
            format!(
                "the lens profile fits: error {:.3} px, {:.3} with a lens of these pictures' own, which would move no tag by more than {:.2} mm",
                c.profile_px, c.own_px, c.most_mm
            ),
            false,
        ),
        LensCheck::Doubted(c) => (
            format!(
                "the lens profile does not fit these pictures: error {:.3} px, {:.3} with a lens of their own, its focal length {:+.2} %, \
                 which would move a tag by {:.2} mm. Was focus or zoom changed, or is it another camera's? Make it again with groma calibrate lens",
                c.profile_px,
                c.own_px,
                100.0 * c.focal_change,
                c.most_mm
            ),
            true,
        ),
    }
}

fn tell(args: &TableArgs, found: &TableCalibration, written: Option<&Table>, notes: &[String]) {
    let (lens, warning) = lens_words(&found.lens_check, found.lens.field_of_view_deg());
    if warning {
        note!("groma: {lens}");
    }
    if args.json {
        for m in &found.tags {
            let p = &m.place;
            say(json!({
                "family": p.tag.family.name(), "id": p.tag.id, "size_mm": rounded(p.size_mm, 4),
                "x_mm": rounded(p.x_mm, 4), "y_mm": rounded(p.y_mm, 4), "rotation_deg": rounded(p.rotation_deg, 4),
                "sigma_mm": rounded(m.sigma_mm, 4), "sigma_deg": rounded(m.sigma_deg, 4),
                "residual_px": rounded(m.residual_px, 4), "pictures": m.views, "left_out": m.left_out,
                "moved_mm": moved_mm(m, written).map(|mm| rounded(mm, 4)),
            }));
        }
        say(json!({
            "summary": true, "pictures": found.views.len(), "tags": found.tags.len(),
            "rms_px": rounded(found.rms_px, 4), "error_ratio": rounded(found.error_ratio, 3),
            "size_factor": rounded(found.size_factor.0, 6), "size_factor_sigma": rounded(found.size_factor.1, 6),
            "lens": lens, "lens_doubted": warning,
        }));
        return;
    }
    for v in &found.views {
        let error = v.rms_px.map_or_else(|| "not used: it does not fit".to_owned(), |e| format!("{e:.3} px"));
        say(format!("{}  {} tags  {error}", v.label, v.used));
    }
    for m in &found.tags {
        let p = &m.place;
        say(format!(
            "{}  x {:8.2}  y {:8.2}  rotation {:7.2}  {}",
            p.tag,
            p.x_mm,
            p.y_mm,
            p.rotation_deg,
            about(m, written).replace('\n', "; ")
        ));
    }
    notes.iter().for_each(say);
    if !warning {
        say(lens);
    }
    if found.error_ratio > 2.0 {
        say(format!(
            "the corners fit {:.1} times worse than they should: a bowed board, a tag that does not lie flat, or blurred pictures",
            found.error_ratio
        ));
    }
    match &args.out {
        Some(path) => say(format!("table written to {}", path.display())),
        None => say("no --out given: nothing written"),
    }
}
