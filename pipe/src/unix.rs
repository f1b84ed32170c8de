//! Linux and macOS: folders, parents, signals, and how to start Postern if no gateway listens.

use std::env::{self, var_os};
use std::ffi::OsString;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::os::unix::process::{CommandExt, parent_id};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

unsafe extern "C" {
    fn getuid() -> u32;
    fn kill(process: i32, signal: i32) -> i32;
    fn setsid() -> i32;
    fn signal(number: i32, handler: extern "C" fn(i32)) -> usize;
    fn _exit(code: i32) -> !;
}

extern "C" fn exit_now(_: i32) {
    unsafe { _exit(crate::exit_code()) }
}

pub fn exit_on_signals() {
    for number in [1, 2, 15] {
        unsafe { signal(number, exit_now) };
    }
}

/// The process that started this one.
#[derive(Clone)]
pub struct Parent(u32);

impl Parent {
    /// Call first: later the parent may be gone and its id taken by another process.
    pub fn find() -> Parent {
        Parent(parent_id())
    }

    pub fn name(&self) -> Option<String> {
        let name = std::fs::read_to_string(format!("/proc/{}/comm", parent_id())).ok()?;
        Some(name.trim().to_owned())
    }

    /// Returns when it is gone.
    pub fn wait(&self) {
        while parent_id() == self.0 {
            crate::session::pause(2_000);
        }
    }
}

fn home() -> PathBuf {
    env::home_dir().unwrap_or_else(|| PathBuf::from("/"))
}

fn variable(name: &str) -> Option<PathBuf> {
    var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// The default profile folder, the same one that Postern itself uses.
pub fn own_profile_folder() -> PathBuf {
    variable("POSTERN_HOME").unwrap_or_else(|| {
        if cfg!(target_os = "macos") {
            return home().join("Library/Application Support/Postern");
        }
        variable("XDG_CONFIG_HOME").unwrap_or_else(|| home().join(".config")).join("Postern")
    })
}

/// Whether the folder is the user's and no one else can access it: a socket elsewhere could be anyone's.
pub fn is_private(folder: &Path) -> bool {
    let own = unsafe { getuid() };
    folder.symlink_metadata().is_ok_and(|stats| stats.is_dir() && stats.uid() == own && stats.mode() & 0o077 == 0)
}

/// The user's runtime folder, also if `XDG_RUNTIME_DIR` is not set.
pub fn runtime_folder() -> Option<PathBuf> {
    let usual = || PathBuf::from(format!("/run/user/{}", unsafe { getuid() }));
    variable("XDG_RUNTIME_DIR").or_else(|| Some(usual()).filter(|folder| cfg!(target_os = "linux") && is_private(folder)))
}

/// The executable that this pipe belongs to: that of its package, or, for a copy elsewhere, the path in
/// `postern-pipe.start` next to it.
fn program() -> Option<PathBuf> {
    let own = env::current_exe().ok()?;
    if let Ok(target) = std::fs::read_to_string(own.with_file_name("postern-pipe.start")) {
        return Some(PathBuf::from(target));
    }
    let package = own.parent()?.parent()?.parent()?;
    Some(package.join("postern")).filter(|program| program.is_file())
}

/// Starts the window in the background; without a display, the service.
fn start_command() -> Option<Vec<OsString>> {
    let mut words = vec![];
    if cfg!(target_os = "macos") {
        words.extend(["/usr/bin/open", "-g", "-b", "dev.postern.Postern", "--args", "--background"].map(OsString::from));
        return Some(words);
    }
    words.push(program()?.into_os_string());
    if unsafe { getuid() } == 0 {
        // Chromium's sandbox cannot start for root.
        words.push("--no-sandbox".into());
    }
    // Same as in the package's launcher: garbage collection after every 8 MB of messages would find nothing.
    let gc_flag = "--js-flags=--initial-old-space-size=64";
    let service = "--ozone-platform=headless --disable-gpu --log-level=3 --cli -- serve --idle-exit 600";
    let arguments = if has_display() { "--background".to_owned() } else { format!("{gc_flag} {service}") };
    words.extend(arguments.split(' ').map(OsString::from));
    Some(words)
}

/// Whether a local display exists now: without one a window's process ends at once, and a display forwarded by ssh
/// disappears with it.
fn has_display() -> bool {
    let is_socket = |path: PathBuf| path.metadata().is_ok_and(|stats| stats.file_type().is_socket());
    // Relative to the runtime folder, or absolute.
    let wayland = variable("WAYLAND_DISPLAY").map(|name| runtime_folder().unwrap_or_default().join(name));
    let x11 = variable("DISPLAY").and_then(|name| {
        let screen = name.to_str()?.strip_prefix(':')?.split('.').next()?.to_owned();
        Some(Path::new("/tmp/.X11-unix").join(format!("X{screen}")))
    });
    [wayland, x11].into_iter().flatten().any(is_socket)
}

/// Starts Postern detached, in a session of its own and not as a child, since apps end all descendants of what they
/// start. Returns its process id. Does not report failures: then no gateway appears.
pub fn start(profile_folder: &Path) -> Option<i32> {
    let mut command = Command::new("/bin/sh");
    let in_background = "\"$@\" >/dev/null 2>&1 & echo $!";
    command.args(["-c", in_background, "sh"]).args(start_command()?).current_dir(home()).env_clear();
    command.stdin(Stdio::null()).stderr(Stdio::null());
    command.env("HOME", home());
    if let Some(runtime) = runtime_folder() {
        let bus = runtime.join("bus");
        if bus.metadata().is_ok_and(|stats| stats.file_type().is_socket()) {
            command.env("DBUS_SESSION_BUS_ADDRESS", format!("unix:path={}", bus.display()));
        }
        command.env("XDG_RUNTIME_DIR", runtime);
    }
    command.envs(env::vars_os().filter(|(name, _)| name.to_str().is_some_and(crate::is_allowed_variable)));
    command.env("POSTERN_HOME", profile_folder);
    unsafe { command.pre_exec(|| { setsid(); Ok(()) }) };
    // The shell ends at once.
    String::from_utf8(command.output().ok()?.stdout).ok()?.trim().parse().ok()
}

/// Whether this process runs.
pub fn is_running(process: i32) -> bool {
    process > 0 && unsafe { kill(process, 0) } == 0
}
