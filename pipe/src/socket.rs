//! The gateway of a profile, at a socket in a folder that only the user can access.

use std::env;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use crate::absent::Absent;
use crate::system::{is_private, runtime_folder};

pub type Connection = UnixStream;

/// Bytes of a socket path that every system accepts (macOS allows 104, including the terminator).
const MAX_SOCKET_PATH: usize = 100;

pub fn connect(profile_folder: &Path) -> Result<Connection, Absent> {
    let mut absent = Absent::Gone;
    for place in places(profile_folder) {
        match UnixStream::connect(place) {
            Ok(connection) => return Ok(connection),
            Err(error) => absent = absent.or(&error),
        }
    }
    Err(absent)
}

/// Most likely first. Computed on every attempt, since the gateway creates its folder when it starts.
fn places(profile_folder: &Path) -> Vec<PathBuf> {
    let usual = profile_folder.join("run");
    let is_short = usual.join("gateway.sock").as_os_str().len() <= MAX_SOCKET_PATH;
    let folders = if is_short { vec![usual] } else { short_folders(profile_folder) };
    folders.into_iter().filter(|folder| is_private(folder)).map(|folder| folder.join("gateway.sock")).collect()
}

fn short_folders(profile_folder: &Path) -> Vec<PathBuf> {
    // Follows symbolic links.
    let Ok(stats) = profile_folder.metadata() else { return vec![] };
    let name = format!("postern-{}-{}", stats.dev(), stats.ino());
    let temporary = [env::temp_dir(), PathBuf::from("/tmp")];
    runtime_folder().into_iter().chain(temporary).map(|folder| folder.join(&name)).collect()
}
