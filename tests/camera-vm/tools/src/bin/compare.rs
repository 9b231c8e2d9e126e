//! `compare TRUTH.json LOG LIMIT_MM READING...`: whether every reading that the virtual machine's log
//! keeps between `BEGIN READING` and `END READING` shows every element of the truth within the limit.
//! Prints one CHECK line a reading. Runs on the host.

use serde_json::Value;
use std::collections::BTreeMap;
use std::error::Error;
use std::process::ExitCode;

/// An element's place: x and y in mm, heading in degrees.
type Place = [f64; 3];

fn number(object: &Value, key: &str) -> Result<f64, String> {
    object[key].as_f64().ok_or_else(|| format!("no number `{key}` in {object}"))
}

/// Where every element truly stands, by name.
fn truth(text: &str) -> Result<BTreeMap<String, Place>, Box<dyn Error>> {
    let scene: Value = serde_json::from_str(text)?;
    let elements = scene["elements"].as_array().ok_or("the truth has no `elements`")?;
    let mut places = BTreeMap::new();
    for element in elements {
        let name = element["name"].as_str().ok_or("an element of the truth has no `name`")?;
        places.insert(
            name.to_owned(),
            [number(element, "x")?, number(element, "y")?, number(element, "heading")?],
        );
    }
    Ok(places)
}

/// The lines of one reading.
fn reading<'a>(log: &'a str, name: &str) -> Result<Vec<&'a str>, String> {
    let (begin, end) = (format!("BEGIN {name}"), format!("END {name}"));
    let mut lines = log.lines().skip_while(|line| *line != begin);
    lines.next().ok_or_else(|| format!("the log has no `{begin}`"))?;
    Ok(lines.take_while(|line| *line != end).filter(|line| line.starts_with('{')).collect())
}

/// How well one reading agrees with the truth, or in what it does not.
fn judge(lines: &[&str], truth: &BTreeMap<String, Place>, limit_mm: f64) -> Result<String, Box<dyn Error>> {
    let mut seen: BTreeMap<&str, u32> = truth.keys().map(|name| (name.as_str(), 0)).collect();
    let (mut worst_mm, mut worst_deg, mut squares, mut poses) = (0.0_f64, 0.0_f64, 0.0, 0_u32);
    for line in lines {
        let object: Value = serde_json::from_str(line).map_err(|error| format!("{error} in {line}"))?;
        if object["visibility"] != "seen" {
            continue;
        }
        let name = object["name"].as_str().ok_or_else(|| format!("no `name` in {line}"))?;
        let (Some([x, y, heading]), Some(count)) = (truth.get(name), seen.get_mut(name)) else {
            return Err(format!("`{name}` is not in the truth").into());
        };
        *count += 1;
        let off_mm = (number(&object, "x_mm")? - x).hypot(number(&object, "y_mm")? - y);
        let turned = (number(&object, "heading_deg")? - heading).rem_euclid(360.0);
        worst_mm = worst_mm.max(off_mm);
        worst_deg = worst_deg.max(turned.min(360.0 - turned));
        squares += off_mm * off_mm;
        poses += 1;
    }
    let unseen: Vec<_> = seen.iter().filter(|(_, count)| **count == 0).map(|(name, _)| *name).collect();
    if !unseen.is_empty() {
        return Err(format!("never seen: {}", unseen.join(", ")).into());
    }
    let figures = format!(
        "{poses} poses of {} elements, {:.3} mm RMS, {worst_mm:.3} mm and {worst_deg:.3} degrees at worst",
        seen.len(),
        (squares / f64::from(poses)).sqrt()
    );
    if worst_mm > limit_mm { Err(format!("{figures}: more than {limit_mm} mm").into()) } else { Ok(figures) }
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [truth_file, log_file, limit, readings @ ..] = &arguments[..] else {
        return Err("usage: compare TRUTH.json LOG LIMIT_MM READING...".into());
    };
    let truth = truth(&std::fs::read_to_string(truth_file)?)?;
    if truth.is_empty() || readings.is_empty() {
        return Err("nothing to compare".into());
    }
    let log = std::fs::read_to_string(log_file)?;
    let limit_mm: f64 = limit.parse()?;
    let mut code = ExitCode::SUCCESS;
    for name in readings {
        let judged =
            reading(&log, name).map_err(Into::into).and_then(|lines| judge(&lines, &truth, limit_mm));
        match judged {
            Ok(figures) => println!("CHECK PASS: {name}: {figures}"),
            Err(fault) => {
                println!("CHECK FAIL: {name}: {fault}");
                code = ExitCode::FAILURE;
            }
        }
    }
    Ok(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRUTH: &str = r#"{"elements":[{"name":"a","x":10.0,"y":20.0,"heading":359.5},{"name":"b","x":0,"y":0,"heading":90}]}"#;

    fn judged(lines: &[&str]) -> Result<String, String> {
        judge(lines, &truth(TRUTH).expect("a truth"), 1.0).map_err(|error| error.to_string())
    }

    #[test]
    fn a_reading_is_right_only_when_every_element_is_near_its_place() {
        let a = r#"{"name":"a","visibility":"seen","x_mm":10.3,"y_mm":20.4,"heading_deg":0.5}"#;
        let b = r#"{"name":"b","visibility":"seen","x_mm":0.0,"y_mm":0.0,"heading_deg":90}"#;
        let far = r#"{"name":"b","visibility":"seen","x_mm":1.1,"y_mm":0.0,"heading_deg":90}"#;
        let covered = r#"{"name":"b","visibility":"covered","x_mm":0.0,"y_mm":0.0,"heading_deg":90}"#;
        assert_eq!(
            judged(&[a, b]).as_deref(),
            Ok("2 poses of 2 elements, 0.354 mm RMS, 0.500 mm and 1.000 degrees at worst")
        );
        assert!(judged(&[a, b, far]).is_err());
        assert!(judged(&[a, covered]).is_err());
        assert!(judged(&[a]).is_err());
        assert!(judged(&[]).is_err());
    }

    #[test]
    fn a_reading_stands_between_its_marks() {
        let log = "x\nBEGIN one\n{1}\nnoise\nEND one\nBEGIN two\n{2}\nEND two\n";
        assert_eq!(reading(log, "one"), Ok(vec!["{1}"]));
        assert!(reading(log, "three").is_err());
    }
}
