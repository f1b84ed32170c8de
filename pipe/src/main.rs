//! `postern-pipe [--profile-folder DIR] ALIAS [--program ID]`: what an entry in a program's configuration starts. It
//! carries lines between standard input and output and the gateway, holds no secret, writes no file, and knows no MCP
//! beyond ids, methods and the handshake. The pipe for Node beside it does the same.

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

const USAGE: &str = "Usage: postern-pipe [--profile-folder DIR] ALIAS [--program ID]";
const UNREACHABLE: [&str; 2] = ["could not be reached or started", "Start Postern, or run `postern serve`."];
const STARTING: [&str; 2] = [
    "has been started but is not ready yet",
    "Wait a minute, then try again. If it stays so, run `postern doctor`.",
];
const SILENT: [&str; 2] = [
    "is running but does not answer",
    "Run `postern doctor`, which names its process, and end that one.",
];
const PROFILE_STEP: &str =
    "Check the folder in the entry of this program. Postern makes a profile when a server is connected in it.";
/// Bytes of texts in the first line; the gateway takes no longer ones.
const LONGEST_NAME: usize = 256;
const LONGEST_FOLDER: usize = 1024;

/// For how long Postern is looked for, from its start on, or from the end of a connection on that was one; and once the
/// process that was started has ended, which may have found that another one serves.
const PATIENCE: Duration = Duration::from_secs(10);
/// As long as that process runs, which a busy computer keeps from listening: programs themselves give up after 30 s.
const LONGEST_START: Duration = Duration::from_secs(28);
/// The same for a program that was served before: a single request is given up after 60 s.
const LONGEST_RESTART: Duration = Duration::from_secs(55);
/// How long one that ended in order has until whoever comes in its place listens: a window, a service that restarts.
const RESTART_TIME: Duration = Duration::from_secs(2);
/// The same of one that was killed.
const KILLED_TIME: Duration = Duration::from_millis(200);

/// Shared with the pipe for Node.
const PASSED_ON: &str = include_str!("../passed-on.txt");

/// Whether Postern is started with this variable of ours; `name` in upper case on Windows.
pub fn is_passed_on(name: &str) -> bool {
    let section = if cfg!(windows) { "[windows]" } else { "[posix]" };
    let rest = PASSED_ON.split_once(section).map_or("", |(_, rest)| rest);
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

fn note_connected(words: &Words) {
    if !HAS_CONNECTED.swap(true, Relaxed) {
        tell(&format!("postern: connected, for {}.", words.server));
    }
}

pub fn exit_code() -> i32 {
    i32::from(!has_connected())
}

pub fn end() -> ! {
    exit(exit_code())
}

struct Words {
    server: String,
    program: Option<String>,
    profile_folder: PathBuf,
}

fn read_words() -> Option<Words> {
    let (mut names, mut program, mut folder) = (Vec::new(), None, None);
    let mut given = env::args_os().skip(1);
    while let Some(word) = given.next() {
        match word.to_str() {
            Some("--program") => program = Some(given.next()?.into_string().ok()?),
            Some("--profile-folder") => folder = Some(given.next().filter(|word| !word.is_empty())?),
            Some(name) if !name.starts_with('-') => names.push(name.to_owned()),
            _ => return None,
        }
    }
    let fits = |text: &String| !text.is_empty() && text.len() <= LONGEST_NAME;
    let server = names.pop().filter(|server| names.is_empty() && fits(server))?;
    if program.as_ref().is_some_and(|program| !fits(program)) {
        return None;
    }
    let folder = folder.map_or_else(system::own_profile_folder, PathBuf::from);
    Some(Words { server, program, profile_folder: std::path::absolute(folder).ok()? })
}

fn quote(text: &str) -> String {
    let escape = |letter: char| match letter {
        '"' | '\\' => format!("\\{letter}"),
        '\0'..' ' => format!("\\u{:04x}", letter as u32),
        _ => letter.to_string(),
    };
    format!("\"{}\"", text.chars().map(escape).collect::<String>())
}

/// The first line.
fn hello(words: &Words, parent: &Parent) -> String {
    let mut members = vec![("server", quote(&words.server))];
    members.extend(words.program.as_deref().map(|program| ("program", quote(program))));
    members.push(("pipe", quote(env!("CARGO_PKG_VERSION"))));
    members.push(("pid", std::process::id().to_string()));
    members.extend(parent.name().map(|name| ("parent", quote(&name))));
    let folder = env::current_dir().ok().and_then(|folder| folder.into_os_string().into_string().ok());
    members.extend(folder.filter(|folder| folder.len() <= LONGEST_FOLDER).map(|folder| ("cwd", quote(&folder))));
    members.push(("awaitsHere", "true".to_owned()));
    let open: Vec<String> = members.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{\"postern\":1,\"open\":{{{}}}}}\n", open.join(","))
}

fn main() {
    let parent = Parent::find();
    system::end_at_signals();
    let Some(words) = read_words() else {
        eprintln!("{USAGE}");
        exit(2);
    };
    let session = Arc::new(Session::default());
    thread::spawn({
        let session = Arc::clone(&session);
        move || {
            session.serve_program();
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
    stay_connected(&words, &parent, &session);
}

fn stay_connected(words: &Words, parent: &Parent, session: &Arc<Session>) -> ! {
    let mut alone_since = Instant::now();
    let mut waited_since: Option<Instant> = None;
    let mut has_started = false;
    let mut started: Option<i32> = None;
    let mut seen_at = alone_since;
    let mut has_heard = false;
    loop {
        let mut absent = Absent::Gone;
        match gateway::connect(&words.profile_folder) {
            Ok(mut connection) => {
                note_connected(words);
                let _ = connection.write_all(hello(words, parent).as_bytes());
                match session.serve_gateway(connection) {
                    Ended::Served => {
                        has_heard = true;
                        (alone_since, waited_since, has_started) = (Instant::now(), None, false);
                        // Another process may have its id later.
                        started = None;
                        pause(50);
                        continue;
                    }
                    Ended::Silent => {
                        give_up_on_silence(session, has_heard);
                        (alone_since, waited_since, has_started) = (Instant::now(), None, false);
                        // Another process may have its id later.
                        started = None;
                        continue;
                    }
                    Ended::Nothing => {}
                }
            }
            Err(why) => absent = why,
        }
        // Nobody is there.
        let now = Instant::now();
        let is_waited_for = session.is_waited_for();
        if is_waited_for {
            waited_since.get_or_insert(now);
        }
        let restarts = alone_since + if absent == Absent::Killed { KILLED_TIME } else { RESTART_TIME };
        let starts_at = if has_connected() { waited_since.map(|since| since.max(restarts)) } else { Some(alone_since) };
        let has_profile = holds_profile(&words.profile_folder);
        if has_profile && !has_started && starts_at.is_some_and(|at| now >= at) {
            has_started = true;
            started = system::start(&words.profile_folder);
        }
        if started.is_some_and(system::is_running) {
            seen_at = now;
        }
        let longest = if has_connected() { LONGEST_RESTART } else { LONGEST_START };
        let is_over = |at: Instant| now >= (at.max(seen_at) + PATIENCE).min(at + longest);
        let is_late = waited_since.is_some() && starts_at.is_some_and(is_over);
        if is_waited_for && !has_profile || is_late {
            if has_profile {
                give_up(session, if seen_at == now { STARTING } else { UNREACHABLE });
            } else {
                let what = format!("has no profile in {}", words.profile_folder.display());
                give_up(session, [&what, PROFILE_STEP]);
            }
            if !has_connected() {
                end();
            }
            (waited_since, has_started) = (None, false);
        }
        if waited_since.is_none() && now > alone_since + PATIENCE {
            session.rest_until_needed(Duration::from_secs(1));
        } else {
            pause(100);
        }
    }
}

/// Whether Postern has kept anything there: in a folder that an entry names wrongly it would begin anew.
fn holds_profile(folder: &Path) -> bool {
    ["config.json", "config.last-good.json"].iter().any(|name| folder.join(name).exists())
}

/// Answers what waits: what it is that Postern did or could not do, and what helps.
fn give_up(session: &Session, [what, next_step]: [&str; 2]) {
    tell(&format!("postern: {what}."));
    let data = format!("{{\"code\":\"GATEWAY_UNREACHABLE\",\"nextStep\":{}}}", quote(next_step));
    let message = quote(&format!("Postern {what}."));
    session.refuse_waiting(&format!("{{\"code\":-32000,\"message\":{message},\"data\":{data}}}"));
}

/// Its process hangs: a program gets an answer all the same. The next try waits for a need.
fn give_up_on_silence(session: &Session, has_heard: bool) {
    let is_waited_for = session.is_waited_for();
    give_up(session, SILENT);
    if is_waited_for && !has_heard {
        exit(1);
    }
    while !session.is_waited_for() {
        pause(100);
    }
}

fn tell(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
