//! `postern-pipe [--profile-folder DIR] ALIAS [--app ID]`: what an entry in an app's configuration starts. Carries
//! lines between standard input and output and the gateway. Holds no secret, writes no file, and knows no MCP beyond
//! ids, methods and the handshake. The Node pipe does the same.

mod absent;
mod envelope;
#[cfg_attr(any(windows, feature = "loopback"), path = "loopback.rs")]
#[cfg_attr(not(any(windows, feature = "loopback")), path = "socket.rs")]
mod gateway;
mod lines;
mod session;
#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod system;

use std::env;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use absent::Absent;
use session::{Ended, Session, pause};
use system::Parent;

const USAGE: &str = "Usage: postern-pipe [--profile-folder DIR] ALIAS [--app ID]";
const UNREACHABLE: [&str; 2] = ["could not be reached or started", "Start Postern, or run `postern serve`."];
const STARTING: [&str; 2] = [
    "was started but is not ready yet",
    "Wait a minute, then try again. If it keeps happening, run `postern doctor`.",
];
const SILENT: [&str; 2] = [
    "is running but does not respond",
    "Run `postern doctor` to find its process, and end that process.",
];
const PROFILE_STEP: &str =
    "Check the folder in the entry of this app. Postern creates a profile when you connect a server.";
/// Bytes of texts in the first line; the gateway accepts no longer ones.
const MAX_NAME: usize = 256;
const MAX_FOLDER: usize = 1024;

/// How long to look for Postern: from its start, or from the end of a working connection; and once the started process
/// has ended, which may have found another one serving.
const PATIENCE: Duration = Duration::from_secs(10);
/// While that process runs: a busy computer can keep it from listening. Apps give up after 30 s.
const MAX_START_TIME: Duration = Duration::from_secs(28);
/// The same for an app that was served before: AI apps give up a single request after 60 s.
const MAX_RESTART_TIME: Duration = Duration::from_secs(55);
/// After an orderly end: time for a successor to listen, such as a window or a restarted service.
const RESTART_DELAY: Duration = Duration::from_secs(2);
/// The same if it was killed.
const KILLED_DELAY: Duration = Duration::from_millis(200);

/// Shared with the Node pipe.
const ENVIRONMENT_ALLOWLIST: &str = include_str!("../environment-allowlist.txt");

/// Whether Postern is started with this environment variable; `name` in upper case on Windows.
pub fn is_allowed_variable(name: &str) -> bool {
    let section = if cfg!(windows) { "[windows]" } else { "[posix]" };
    let rest = ENVIRONMENT_ALLOWLIST.split_once(section).map_or("", |(_, rest)| rest);
    let lines = rest.split_once('[').map_or(rest, |(lines, _)| lines);
    lines.split_whitespace().any(|each| match each.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == each,
    })
}

static HAS_CONNECTED: AtomicBool = AtomicBool::new(false);

pub fn has_connected() -> bool {
    HAS_CONNECTED.load(Relaxed)
}

fn mark_connected(arguments: &Arguments) {
    if !HAS_CONNECTED.swap(true, Relaxed) {
        log(&format!("postern: connected, for {}.", arguments.server));
    }
}

pub fn exit_code() -> i32 {
    i32::from(!has_connected())
}

pub fn end() -> ! {
    exit(exit_code())
}

struct Arguments {
    server: String,
    app: Option<String>,
    profile_folder: PathBuf,
}

fn parse_arguments() -> Option<Arguments> {
    let (mut names, mut app, mut folder) = (Vec::new(), None, None);
    let mut args = env::args_os().skip(1);
    while let Some(word) = args.next() {
        match word.to_str() {
            Some("--app") => app = Some(args.next()?.into_string().ok()?),
            Some("--profile-folder") => folder = Some(args.next().filter(|word| !word.is_empty())?),
            Some(name) if !name.starts_with('-') => names.push(name.to_owned()),
            _ => return None,
        }
    }
    let fits = |text: &String| !text.is_empty() && text.len() <= MAX_NAME;
    let server = names.pop().filter(|server| names.is_empty() && fits(server))?;
    if app.as_ref().is_some_and(|app| !fits(app)) {
        return None;
    }
    let folder = folder.map_or_else(system::own_profile_folder, PathBuf::from);
    Some(Arguments { server, app, profile_folder: std::path::absolute(folder).ok()? })
}

fn quote(text: &str) -> String {
    let escape = |letter: char| match letter {
        '"' | '\\' => format!("\\{letter}"),
        '\0'..' ' => format!("\\u{:04x}", letter as u32),
        _ => letter.to_string(),
    };
    format!("\"{}\"", text.chars().map(escape).collect::<String>())
}

/// The first line, which identifies the app.
fn first_line(arguments: &Arguments, parent: &Parent) -> String {
    let mut members = vec![("server", quote(&arguments.server))];
    members.extend(arguments.app.as_deref().map(|app| ("app", quote(app))));
    members.push(("pipe", quote(env!("CARGO_PKG_VERSION"))));
    members.push(("pid", std::process::id().to_string()));
    members.extend(parent.name().map(|name| ("parent", quote(&name))));
    let folder = env::current_dir().ok().and_then(|folder| folder.into_os_string().into_string().ok());
    members.extend(folder.filter(|folder| folder.len() <= MAX_FOLDER).map(|folder| ("cwd", quote(&folder))));
    members.push(("awaitsHere", "true".to_owned()));
    let open: Vec<String> = members.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{\"postern\":1,\"open\":{{{}}}}}\n", open.join(","))
}

fn main() {
    let parent = Parent::find();
    system::exit_on_signals();
    let Some(arguments) = parse_arguments() else {
        eprintln!("{USAGE}");
        exit(2);
    };
    let session = Arc::new(Session::default());
    thread::spawn({
        let session = Arc::clone(&session);
        move || {
            session.serve_app();
            end();
        }
    });
    thread::spawn({
        let parent = parent.clone();
        move || {
            parent.wait();
            end();
        }
    });
    stay_connected(&arguments, &parent, &session);
}

fn stay_connected(arguments: &Arguments, parent: &Parent, session: &Arc<Session>) -> ! {
    let mut disconnected_since = Instant::now();
    let mut needed_since: Option<Instant> = None;
    let mut has_started = false;
    let mut started: Option<i32> = None;
    let mut seen_at = disconnected_since;
    let mut has_received = false;
    loop {
        let mut absent = Absent::Gone;
        match gateway::connect(&arguments.profile_folder) {
            Ok(mut connection) => {
                mark_connected(arguments);
                let _ = connection.write_all(first_line(arguments, parent).as_bytes());
                match session.serve_gateway(connection) {
                    Ended::Served => {
                        has_received = true;
                        (disconnected_since, needed_since, has_started) = (Instant::now(), None, false);
                        // Another process may get that ID later.
                        started = None;
                        pause(50);
                        continue;
                    }
                    Ended::Silent => {
                        give_up_on_silence(session, has_received);
                        (disconnected_since, needed_since, has_started) = (Instant::now(), None, false);
                        // Another process may get that ID later.
                        started = None;
                        continue;
                    }
                    Ended::Nothing => {}
                }
            }
            Err(why) => absent = why,
        }
        // No gateway was found.
        let now = Instant::now();
        let is_needed = session.is_needed();
        if is_needed {
            needed_since.get_or_insert(now);
        }
        let restarts = disconnected_since + if absent == Absent::Killed { KILLED_DELAY } else { RESTART_DELAY };
        let starts_at =
            if has_connected() { needed_since.map(|since| since.max(restarts)) } else { Some(disconnected_since) };
        let has_profile = holds_profile(&arguments.profile_folder);
        if has_profile && !has_started && starts_at.is_some_and(|at| now >= at) {
            has_started = true;
            started = system::start(&arguments.profile_folder);
        }
        if started.is_some_and(system::is_running) {
            seen_at = now;
        }
        let longest = if has_connected() { MAX_RESTART_TIME } else { MAX_START_TIME };
        let is_over = |at: Instant| now >= (at.max(seen_at) + PATIENCE).min(at + longest);
        let is_late = needed_since.is_some() && starts_at.is_some_and(is_over);
        if is_needed && !has_profile || is_late {
            if has_profile {
                give_up(session, if seen_at == now { STARTING } else { UNREACHABLE });
            } else {
                let what = format!("has no profile in {}", arguments.profile_folder.display());
                give_up(session, [&what, PROFILE_STEP]);
            }
            if !has_connected() {
                end();
            }
            (needed_since, has_started) = (None, false);
        }
        if needed_since.is_none() && now > disconnected_since + PATIENCE {
            session.wait_until_needed(Duration::from_secs(1));
        } else {
            pause(100);
        }
    }
}

/// Whether the folder contains a profile: for a wrong folder in an entry, Postern would create a new one.
fn holds_profile(folder: &Path) -> bool {
    ["config.json", "config.last-good.json"].iter().any(|name| folder.join(name).exists())
}

/// Fails waiting requests. `what` completes "Postern …".
fn give_up(session: &Session, [what, next_step]: [&str; 2]) {
    log(&format!("postern: {what}."));
    let data = format!("{{\"code\":\"GATEWAY_UNREACHABLE\",\"nextStep\":{}}}", quote(next_step));
    let message = quote(&format!("Postern {what}."));
    session.refuse_waiting(&format!("{{\"code\":-32000,\"message\":{message},\"data\":{data}}}"));
}

/// The gateway process hangs: the app gets an error anyway. The next attempt waits until a gateway is needed.
fn give_up_on_silence(session: &Session, has_received: bool) {
    let is_needed = session.is_needed();
    give_up(session, SILENT);
    if is_needed && !has_received {
        exit(1);
    }
    while !session.is_needed() {
        pause(100);
    }
}

fn log(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
