//! Why no gateway could be connected.

use std::io::{Error, ErrorKind};

#[derive(Clone, Copy, PartialEq)]
pub enum Absent {
    /// It ended, or is yielding to another one.
    Gone,
    /// It left its socket behind, as only a killed process does.
    Killed,
}

impl Absent {
    /// After failing at one more place.
    pub fn or(self, error: &Error) -> Absent {
        if error.kind() == ErrorKind::ConnectionRefused { Absent::Killed } else { self }
    }
}
