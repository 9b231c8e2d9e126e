//! What a source's camera may change by itself, told on stderr once.

use crate::vision::FrameSource;
use crate::vision::source::Setting;

/// What has been told.
#[derive(Debug, Default)]
pub struct CameraNotes {
    told: Vec<Setting>,
}

impl CameraNotes {
    /// Tells of settings of `source` that are not locked, where it has not been told yet.
    pub fn tell(&mut self, source: &dyn FrameSource) {
        let Some(locks) = source.locks() else { return };
        let loose = locks.loose();
        if loose.iter().any(|setting| !self.told.contains(setting)) {
            note!("groma: {}: {locks}; where it changes, measure again", source.description());
            self.told = loose;
        }
    }
}
