//! What a webcam is kept from changing by itself while it measures: exposure, focus, white balance.
//!
//! Focus moves the lens and so the scale of the picture; exposure and white balance change the light that
//! tags are registered in. A camera's automatics are left to settle, then switched off, and the picture
//! before is compared with the picture after: a camera that jumps to a stale value when its automatic is
//! switched off gets it back. What was switched off is switched on again when the camera is let go.
//!
//! Pure: times are the frames' own, and the camera is a [`Controls`], so that all of it is tested without
//! one. Control numbers are Video4Linux's.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// What a camera may set by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Setting {
    /// How long each picture is exposed.
    Exposure,
    /// At what distance it is sharp.
    Focus,
    /// What counts as white.
    WhiteBalance,
}

impl Setting {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Exposure, Self::Focus, Self::WhiteBalance];

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exposure => "exposure",
            Self::Focus => "focus",
            Self::WhiteBalance => "white balance",
        }
    }

    /// The control that sets it by hand.
    fn value_control(self) -> u32 {
        match self {
            Self::Exposure => 0x009a_0902,
            Self::Focus => 0x009a_090a,
            Self::WhiteBalance => 0x0098_091a,
        }
    }

    /// The control of its automatic, and the value that switches that off.
    fn automatic_control(self) -> (u32, i64) {
        match self {
            // A menu: 0 automatic, 1 manual, 2 shutter priority, 3 aperture priority.
            Self::Exposure => (0x009a_0901, 1),
            Self::Focus => (0x009a_090c, 0),
            Self::WhiteBalance => (0x0098_090c, 0),
        }
    }
}

/// Whether a setting stays as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lock {
    /// The camera sets it by itself just now, and can be told not to.
    Automatic,
    /// It stays as it is.
    Locked,
    /// The camera has no control for it: it is fixed, or changes without a way to stop it.
    NoControl,
    /// The camera would not have it locked; why, in words.
    Refused(String),
    /// It is left to the camera because the user asked for that.
    Left,
}

impl Lock {
    /// One word for machines.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Automatic => "automatic",
            Self::Locked => "locked",
            Self::NoControl => "no control",
            Self::Refused(_) => "refused",
            Self::Left => "left automatic",
        }
    }
}

/// All settings of one camera.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Locks(BTreeMap<Setting, Lock>);

impl Locks {
    /// With each setting as `of` says.
    pub fn of(of: impl FnMut(Setting) -> Lock) -> Self {
        Self(Setting::ALL.into_iter().zip(Setting::ALL.map(of)).collect())
    }

    /// One setting.
    pub fn get(&self, setting: Setting) -> &Lock {
        self.0.get(&setting).expect("every setting has its place")
    }

    /// Whether nothing is to change any more: each is locked, or cannot be.
    pub fn settled(&self) -> bool {
        self.0.values().all(|lock| *lock != Lock::Automatic)
    }

    /// The settings that the camera may still change by itself when it has settled.
    pub fn loose(&self) -> Vec<Setting> {
        let stays = |lock: &Lock| matches!(lock, Lock::Locked | Lock::Automatic);
        self.0.iter().filter(|(_, lock)| !stays(lock)).map(|(setting, _)| *setting).collect()
    }
}

/// "exposure and white balance locked; focus: ...", for people.
impl fmt::Display for Locks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |kind: &dyn Fn(&Lock) -> bool| -> Vec<&str> {
            self.0.iter().filter(|(_, l)| kind(l)).map(|(s, _)| s.name()).collect()
        };
        let mut parts = Vec::new();
        for (names, words) in [
            (of(&|l| *l == Lock::Locked), "locked"),
            (of(&|l| *l == Lock::Automatic), "can be locked"),
            (of(&|l| *l == Lock::Left), "left to the camera, as asked"),
            (of(&|l| *l == Lock::NoControl), "cannot be locked: the camera has no control for it"),
        ] {
            if !names.is_empty() {
                parts.push(format!("{} {words}", list(&names)));
            }
        }
        for (setting, lock) in &self.0 {
            if let Lock::Refused(why) = lock {
                parts.push(format!("{} not locked: {why}", setting.name()));
            }
        }
        f.write_str(&parts.join("; "))
    }
}

/// "a", "a and b", "a, b and c".
fn list(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// A camera's controls, by Video4Linux's numbers.
pub trait Controls {
    /// Where a control stands, or `None` where the camera does not have it.
    fn value(&mut self, control: u32) -> Option<i64>;

    /// Sets it.
    ///
    /// # Errors
    /// Why the camera refused, in words.
    fn set(&mut self, control: u32, value: i64) -> Result<(), String>;
}

/// What of a camera can be locked, before anything is.
pub fn lockable(controls: &mut impl Controls) -> Locks {
    Locks::of(|setting| {
        let (automatic, off) = setting.automatic_control();
        match (controls.value(automatic), controls.value(setting.value_control())) {
            (Some(now), _) if now == off => Lock::Locked,
            (Some(_), _) => Lock::Automatic,
            // Set by hand alone: it stays.
            (None, Some(_)) => Lock::Locked,
            (None, None) => Lock::NoControl,
        }
    })
}

/// The automatics are left alone for so long, and for so many pictures. A choice: webcams take about a
/// second to find their exposure, and longer to focus.
const SETTLE: Duration = Duration::from_secs(2);
const SETTLE_FRAMES: usize = 8;
/// After locking the picture is watched for so long, and for so many pictures. A choice.
const WATCH: Duration = Duration::from_millis(700);
const WATCH_FRAMES: usize = 4;
/// A picture whose mean brightness changes by more than this share when the exposure is locked has jumped.
/// A choice: a hand over a tenth of the table changes it by less.
const JUMP: f64 = 0.25;
/// So often is a lock tried before its automatic is left on: a hand may have come in meanwhile.
const TRIES: u32 = 2;

/// Locks a camera's settings while its pictures come in.
#[derive(Debug)]
pub struct Keeper {
    locks: Locks,
    /// Automatics as they were found, to be put back.
    found: Vec<(u32, i64)>,
    phase: Phase,
    /// Times and mean brightnesses of this phase's pictures.
    seen: Vec<(Duration, f64)>,
    tries: u32,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Phase {
    Settling,
    /// The brightness was this before the lock.
    Watching(f64),
    Done,
}

impl Keeper {
    /// For a camera that has just been opened.
    pub fn new(controls: &mut impl Controls) -> Self {
        let locks = lockable(controls);
        let phase = if locks.settled() { Phase::Done } else { Phase::Settling };
        Self { locks, found: Vec::new(), phase, seen: Vec::new(), tries: 0 }
    }

    /// For a camera whose automatics are to stay as they are.
    pub fn leaving(controls: &mut impl Controls) -> Self {
        let found = lockable(controls);
        let locks = Locks::of(|setting| match found.get(setting) {
            Lock::Automatic => Lock::Left,
            other => other.clone(),
        });
        Self { locks, found: Vec::new(), phase: Phase::Done, seen: Vec::new(), tries: 0 }
    }

    /// How the settings are.
    pub fn locks(&self) -> &Locks {
        &self.locks
    }

    /// Takes note of a picture captured at `at` with this mean brightness, 0 to 255, and does what is due.
    /// Whether a lock has changed.
    pub fn picture(&mut self, at: Duration, brightness: f64, controls: &mut impl Controls) -> bool {
        if self.phase == Phase::Done {
            return false;
        }
        self.seen.push((at, brightness));
        let (least, frames) = match self.phase {
            Phase::Settling => (SETTLE, SETTLE_FRAMES),
            _ => (WATCH, WATCH_FRAMES),
        };
        let begun = self.seen.first().map_or(at, |(first, _)| *first);
        if self.seen.len() < frames || at.saturating_sub(begun) < least {
            return false;
        }
        // The last few of the phase; the first after a change may still show the old setting.
        let now = median(self.seen[self.seen.len() / 2..].iter().map(|(_, b)| *b).collect());
        self.seen.clear();
        match self.phase {
            Phase::Settling => {
                self.lock(controls);
                let exposure = *self.locks.get(Setting::Exposure) == Lock::Locked;
                let ours = self.found.iter().any(|(id, _)| *id == Setting::Exposure.automatic_control().0);
                self.phase = if exposure && ours { Phase::Watching(now) } else { Phase::Done };
                true
            }
            Phase::Watching(before) => {
                let change = now / before.max(1.0) - 1.0;
                self.phase = Phase::Done;
                if change.abs() <= JUMP {
                    return false;
                }
                self.tries += 1;
                self.unlock(Setting::Exposure, controls);
                let lock = if self.tries < TRIES {
                    self.phase = Phase::Settling;
                    Lock::Automatic
                } else {
                    Lock::Refused(format!(
                        "locking it changed the brightness by {:.0} %, so the camera sets it by itself again",
                        100.0 * change.abs()
                    ))
                };
                self.locks.0.insert(Setting::Exposure, lock);
                true
            }
            Phase::Done => false,
        }
    }

    /// Switches off every automatic that is on and can be.
    fn lock(&mut self, controls: &mut impl Controls) {
        for setting in Setting::ALL {
            if *self.locks.get(setting) != Lock::Automatic {
                continue;
            }
            let (control, off) = setting.automatic_control();
            let found = controls.value(control);
            let lock = match controls.set(control, off) {
                Ok(()) => {
                    self.found.extend(found.map(|value| (control, value)));
                    Lock::Locked
                }
                Err(why) => Lock::Refused(format!("the camera refused ({why})")),
            };
            self.locks.0.insert(setting, lock);
        }
    }

    fn unlock(&mut self, setting: Setting, controls: &mut impl Controls) {
        let (control, _) = setting.automatic_control();
        if let Some(at) = self.found.iter().position(|(id, _)| *id == control) {
            let (_, value) = self.found.remove(at);
            // A camera that refuses this stays locked, and its brightness as it jumped: told as refused.
            let _ = controls.set(control, value);
        }
    }

    /// Puts every automatic back that this keeper switched off: the next program finds the camera as it
    /// was.
    pub fn release(&mut self, controls: &mut impl Controls) {
        for (control, value) in self.found.drain(..) {
            // A camera that is gone needs nothing put back.
            let _ = controls.set(control, value);
        }
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A camera with these controls; some cannot be set.
    #[derive(Default)]
    struct Fake {
        values: BTreeMap<u32, i64>,
        refuses: Vec<u32>,
        /// The brightness once the exposure is locked.
        dark: Option<f64>,
    }

    impl Fake {
        fn usual() -> Self {
            let on = [(0x009a_0901, 3), (0x009a_0902, 250), (0x009a_090c, 1), (0x009a_090a, 0)];
            let balance = [(0x0098_090c, 1), (0x0098_091a, 4600)];
            Self { values: on.into_iter().chain(balance).collect(), ..Self::default() }
        }

        fn brightness(&self) -> f64 {
            match self.dark {
                Some(dark) if self.values.get(&0x009a_0901) == Some(&1) => dark,
                _ => 120.0,
            }
        }

        /// `seconds` of pictures, ten a second.
        fn film(&mut self, keeper: &mut Keeper, from_s: f64, seconds: f64) {
            for i in 0..(10.0 * seconds) as u32 {
                let at = Duration::from_secs_f64(from_s + f64::from(i) / 10.0);
                let brightness = self.brightness();
                keeper.picture(at, brightness, self);
            }
        }
    }

    impl Controls for Fake {
        fn value(&mut self, control: u32) -> Option<i64> {
            self.values.get(&control).copied()
        }
        fn set(&mut self, control: u32, value: i64) -> Result<(), String> {
            if self.refuses.contains(&control) {
                return Err("Permission denied".to_owned());
            }
            self.values.insert(control, value);
            Ok(())
        }
    }

    #[test]
    fn automatics_settle_are_switched_off_and_put_back_at_the_end() {
        let mut camera = Fake::usual();
        let mut keeper = Keeper::new(&mut camera);
        assert!(!keeper.locks().settled());
        camera.film(&mut keeper, 0.0, 1.9);
        assert_eq!(camera.values[&0x009a_0901], 3, "it is left to settle");
        camera.film(&mut keeper, 1.9, 2.0);
        assert_eq!(keeper.locks(), &Locks::of(|_| Lock::Locked));
        assert_eq!(keeper.locks().to_string(), "exposure, focus and white balance locked");
        let automatics = [0x009a_0901, 0x009a_090c, 0x0098_090c];
        assert_eq!(automatics.map(|id| camera.values[&id]), [1, 0, 0]);
        keeper.release(&mut camera);
        assert_eq!(automatics.map(|id| camera.values[&id]), [3, 1, 1]);
    }

    #[test]
    fn what_the_camera_has_not_or_refuses_is_said() {
        let mut camera = Fake::usual();
        camera.values.remove(&0x009a_090c);
        camera.values.remove(&0x009a_090a);
        camera.refuses.push(0x0098_090c);
        let mut keeper = Keeper::new(&mut camera);
        assert_eq!(keeper.locks().get(Setting::Focus), &Lock::NoControl);
        camera.film(&mut keeper, 0.0, 4.0);
        assert_eq!(keeper.locks().loose(), [Setting::Focus, Setting::WhiteBalance]);
        let words = keeper.locks().to_string();
        assert!(words.contains("exposure locked") && words.contains("focus cannot be locked"), "{words}");
        assert!(words.contains("white balance not locked: the camera refused"), "{words}");
    }

    #[test]
    fn a_lens_set_by_hand_alone_stays_and_is_no_automatic() {
        let mut camera = Fake { values: [(0x009a_090a, 30)].into(), ..Fake::default() };
        let keeper = Keeper::new(&mut camera);
        assert_eq!(keeper.locks().get(Setting::Focus), &Lock::Locked);
        assert_eq!(keeper.locks().get(Setting::Exposure), &Lock::NoControl);
        assert!(keeper.locks().settled());
    }

    #[test]
    fn an_exposure_that_jumps_when_locked_gets_its_automatic_back_after_a_second_try() {
        let mut camera = Fake { dark: Some(40.0), ..Fake::usual() };
        let mut keeper = Keeper::new(&mut camera);
        camera.film(&mut keeper, 0.0, 10.0);
        assert_eq!(camera.values[&0x009a_0901], 3);
        let words = keeper.locks().to_string();
        assert!(words.contains("exposure not locked") && words.contains("67 %"), "{words}");
        assert!(words.contains("focus and white balance locked"), "{words}");
        // Once only: somebody's hand. The second try holds.
        let mut camera = Fake { dark: Some(40.0), ..Fake::usual() };
        let mut keeper = Keeper::new(&mut camera);
        camera.film(&mut keeper, 0.0, 3.5);
        camera.dark = None;
        camera.film(&mut keeper, 3.5, 8.0);
        assert_eq!(keeper.locks(), &Locks::of(|_| Lock::Locked));
    }

    #[test]
    fn automatics_that_were_asked_for_are_left() {
        let mut camera = Fake::usual();
        let mut keeper = Keeper::leaving(&mut camera);
        camera.film(&mut keeper, 0.0, 5.0);
        assert_eq!(camera.values[&0x009a_0901], 3);
        assert_eq!(keeper.locks().loose().len(), 3);
        assert!(keeper.locks().to_string().contains("as asked"));
    }
}
