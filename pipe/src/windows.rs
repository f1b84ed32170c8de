//! Windows; see unix.rs.

use std::env::{self, var_os};
use std::ffi::OsString;
use std::os::windows::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[link(name = "kernel32")]
unsafe extern "system" {
    fn CloseHandle(handle: isize) -> i32;
    fn CreateToolhelp32Snapshot(flags: u32, process: u32) -> isize;
    fn ExitProcess(code: u32) -> !;
    fn GetCurrentProcess() -> isize;
    fn GetProcessTimes(process: isize, made: *mut u64, ended: *mut u64, kernel: *mut u64, user: *mut u64) -> i32;
    fn GetSystemDirectoryW(text: *mut u16, length: u32) -> u32;
    fn OpenProcess(access: u32, inherits: i32, id: u32) -> isize;
    fn Process32FirstW(snapshot: isize, entry: *mut ProcessEntry) -> i32;
    fn Process32NextW(snapshot: isize, entry: *mut ProcessEntry) -> i32;
    fn SetConsoleCtrlHandler(handler: extern "system" fn(u32) -> i32, adds: i32) -> i32;
    fn WaitForSingleObject(handle: isize, milliseconds: u32) -> u32;
}

const SNAPSHOT_OF_PROCESSES: u32 = 2;
const QUERY_LIMITED_AND_SYNCHRONIZE: u32 = 0x1000 | 0x10_0000;
const INFINITE: u32 = u32::MAX;

/// PROCESSENTRY32W.
#[repr(C)]
#[derive(Clone, Copy)]
struct ProcessEntry {
    size: u32,
    usage: u32,
    id: u32,
    heap: usize,
    module: u32,
    threads: u32,
    parent: u32,
    priority: i32,
    flags: u32,
    file: [u16; 260],
}

extern "system" fn exit_now(_: u32) -> i32 {
    unsafe { ExitProcess(crate::exit_code() as u32) }
}

pub fn exit_on_signals() {
    unsafe { SetConsoleCtrlHandler(exit_now, 1) };
}

/// The process that started this one.
#[derive(Clone)]
pub struct Parent {
    /// While the handle is open, no other process gets the id.
    handle: Option<isize>,
    name: Option<String>,
}

impl Parent {
    pub fn find() -> Parent {
        let processes = running_processes();
        let find = |id: u32| processes.iter().find(|process| process.id == id);
        let parent = find(std::process::id()).and_then(|own| find(own.parent));
        let handle = parent.and_then(|parent| open_older(parent.id));
        let name = parent.filter(|_| handle.is_some()).map(|parent| {
            let length = parent.file.iter().position(|&unit| unit == 0).unwrap_or(parent.file.len());
            String::from_utf16_lossy(&parent.file[..length])
        });
        Parent { handle, name }
    }

    pub fn name(&self) -> Option<String> {
        self.name.clone()
    }

    /// Returns when it is gone; never if it may not be watched, or was gone before.
    pub fn wait(&self) {
        if let Some(handle) = self.handle {
            unsafe { WaitForSingleObject(handle, INFINITE) };
            return;
        }
        loop {
            std::thread::park();
        }
    }
}

fn running_processes() -> Vec<ProcessEntry> {
    let mut found = vec![];
    let mut entry: ProcessEntry = unsafe { std::mem::zeroed() };
    entry.size = size_of::<ProcessEntry>() as u32;
    unsafe {
        let snapshot = CreateToolhelp32Snapshot(SNAPSHOT_OF_PROCESSES, 0);
        let mut has_entry = Process32FirstW(snapshot, &mut entry);
        while has_entry != 0 {
            found.push(entry);
            has_entry = Process32NextW(snapshot, &mut entry);
        }
        CloseHandle(snapshot);
    }
    found
}

/// Skips a younger process that has got the id of a parent that is gone.
fn open_older(id: u32) -> Option<isize> {
    let made = |process: isize| {
        let (mut made, mut ended, mut kernel, mut user) = (0, 0, 0, 0);
        let succeeded = unsafe { GetProcessTimes(process, &mut made, &mut ended, &mut kernel, &mut user) };
        (succeeded != 0).then_some(made)
    };
    let handle = unsafe { OpenProcess(QUERY_LIMITED_AND_SYNCHRONIZE, 0, id) };
    if handle == 0 {
        return None;
    }
    let is_older = made(handle)? <= made(unsafe { GetCurrentProcess() })?;
    is_older.then_some(handle)
}

fn variable(name: &str) -> Option<PathBuf> {
    var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

fn home() -> PathBuf {
    env::home_dir().unwrap_or_else(|| PathBuf::from("C:\\"))
}

/// The default profile folder, the same one that Postern itself uses.
pub fn own_profile_folder() -> PathBuf {
    variable("POSTERN_HOME").unwrap_or_else(|| {
        variable("APPDATA").unwrap_or_else(|| home().join("AppData").join("Roaming")).join("Postern")
    })
}

/// On Windows, folders in a user's profile belong to the user, and files in them inherit the permissions.
pub fn is_private(folder: &Path) -> bool {
    folder.symlink_metadata().is_ok_and(|stats| stats.is_dir())
}

/// Opens the `postern:` protocol that the installer has registered (packaging/win/protocol.nsh). A helper that ends at
/// once starts it, so that it is detached: apps end all descendants of what they start.
pub fn start(profile_folder: &Path) -> Option<i32> {
    let mut command = Command::new(system_folder()?.join("rundll32.exe"));
    command.args(["url.dll,FileProtocolHandler", "postern:background"]).current_dir(home()).env_clear();
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let is_allowed = |name: &str| crate::is_allowed_variable(&name.to_ascii_uppercase());
    command.envs(env::vars_os().filter(|(name, _)| name.to_str().is_some_and(is_allowed)));
    command.env("POSTERN_HOME", profile_folder);
    let _ = command.spawn();
    // Windows starts it and does not report the process id.
    None
}

pub fn is_running(_: i32) -> bool {
    false
}

/// From the system: an environment variable may name any folder.
fn system_folder() -> Option<PathBuf> {
    let mut text = [0; 260];
    let length = unsafe { GetSystemDirectoryW(text.as_mut_ptr(), text.len() as u32) } as usize;
    let name = text.get(..length).filter(|name| !name.is_empty())?;
    Some(PathBuf::from(OsString::from_wide(name)))
}
