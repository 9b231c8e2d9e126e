//! The result slip is written as the battle stands.

use super::Logic;
use crate::session::slip::{SlipAsk, slip};
use crate::text::{Kind, Output, check_outputs, write_outputs};
use std::path::Path;

impl Logic {
    pub(super) fn write_slip(&mut self) {
        self.keep();
        let part = &self.state.slip;
        let file = self.keeping.keeper.path().and_then(Path::file_name);
        let ask = SlipAsk {
            title: String::new(),
            players: part.players.each_ref().map(|name| name.trim().to_owned()),
            clock: self.state.clock.spent_of(),
            file: file.map(|name| name.to_string_lossy().into_owned()),
        };
        let path = Path::new(part.file.trim());
        let page = slip(self.state.engine(), &self.state.play, self.keeping.keeper.records(), &ask);
        let output = Output { option: "The slip's file", path, kind: Kind::Page };
        let written = check_outputs(&[output]).and_then(|()| write_outputs(&[(path, page.as_bytes())]));
        let told = match written {
            Ok(()) => Ok(format!("Written: {}. Open it in a browser and print it.", path.display())),
            Err(why) => Err(format!("{why}.")),
        };
        self.state.slip.written = Some(told);
    }
}
