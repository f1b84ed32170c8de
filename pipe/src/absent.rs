//! Why nobody could be connected to.

use std::io::{Error, ErrorKind};

#[derive(Clone, Copy, PartialEq)]
pub enum Absent {
    /// It ended, or makes room for another.
    Gone,
    /// It has left behind where it listened, as only a process that was killed does.
    Killed,
}

impl Absent {
    /// After one more place where nobody is.
    pub fn or(self, error: &Error) -> Absent {
        if error.kind() == ErrorKind::ConnectionRefused { Absent::Killed } else { self }
    }
}
