//! One app and its gateway; same as session.js. Outlives a connection: requests that were sent and not answered get
//! SESSION_LOST; unsent and returned ones wait; and the app's handshake is repeated on the next connection.

use std::collections::VecDeque;
use std::io::{self, Read, StdoutLock, Write};
use std::net::Shutdown;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use crate::{end, has_connected};
use crate::envelope::Envelope;
use crate::gateway::Connection;
use crate::lines::{LineReader, Sink};

/// Longer lines are passed on in parts as they come.
const MAX_HELD_BYTES: usize = 64 * 1024;
/// Bytes that are read from the app while no gateway reads them.
const MAX_QUEUED_BYTES: usize = 1024 * 1024;
const CHUNK: usize = 32 * 1024;
/// Interval of checks whether an expected response has come. A live gateway sends `here` at once, and when asked.
const POLL: Duration = Duration::from_secs(2);
/// After this many in a row without output, the gateway process hangs.
const SILENT_POLLS: u32 = 5;
const CLOSING_TIME: Duration = Duration::from_millis(500);
/// After the end of the app's input: how long the gateway may stay silent while requests are unanswered.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(60);
/// The same, in total.
const MAX_RESPONSE_TIME: Duration = Duration::from_secs(600);

const LOST: &str = r#"{"code":-32000,"message":"The connection to Postern ended before a response came. The request may have been carried out.","data":{"code":"SESSION_LOST"}}"#;

const ENDED: &str = r#"{"code":-32000,"message":"The app has closed its input."}"#;

/// Lines of control between a pipe and its gateway: main/net/endpoint/pipe-connection.ts.
const HERE: &[u8] = b"{\"postern\":1,\"control\":\"here\"}\n";
const REST: &[u8] = b"{\"postern\":1,\"control\":\"rest\"}\n";
const RESTING: &[u8] = b"{\"postern\":1,\"control\":\"resting\"}\n";
const BACK: &[u8] = b"{\"postern\":1,\"control\":\"back\"}\n";
const ASK: &[u8] = b"{\"postern\":1,\"control\":\"ask\"}\n";

#[derive(Clone)]
struct Line {
    bytes: Vec<u8>,
    envelope: Envelope,
}

#[derive(Default)]
struct State {
    /// The connection, from its first byte.
    current: Option<Arc<Connection>>,
    /// The same, once the handshake was repeated.
    open: Option<Arc<Connection>>,
    queue: VecDeque<Line>,
    queued_bytes: usize,
    /// Returned by the gateway, in order: not sent to the server.
    returned: Vec<Line>,
    /// The gateway is yielding to another one: requests wait for that.
    is_resting: bool,
    /// The app's requests in flight.
    in_flight: Vec<Envelope>,
    /// Requests to the app that it has not answered.
    server_requests: Vec<Envelope>,
    initialize: Option<Line>,
    is_initialized: bool,
    initialized_line: Option<Vec<u8>>,
    subscriptions: Vec<Line>,
    listed: [bool; 2],
    /// Parts of a long line of the app were sent, but not its end.
    is_mid_long_line: bool,
    /// In the rest of a long line whose beginning went to a lost connection.
    is_torn: bool,
    /// Number of the app's lines that are not a message.
    invalid_count: usize,
    /// Counts the gateway's messages.
    received: u64,
    /// The app's input has ended, so it will answer nothing more.
    has_input_ended: bool,
}

const LISTED: [&str; 2] = ["resources", "prompts"];

/// How a connection ended.
pub enum Ended {
    Served,
    /// It sent nothing, so it does not count.
    Nothing,
    /// The gateway sent nothing in time: its process hangs.
    Silent,
}

#[derive(Default)]
pub struct Session {
    state: Mutex<State>,
    /// Held while a line is sent, so that a loss is judged only when it is known whether the line was sent.
    writing: Mutex<()>,
    room: Condvar,
}

fn remove(envelopes: &mut Vec<Envelope>, key: &[u16]) -> bool {
    let before = envelopes.len();
    envelopes.retain(|each| each.key != key);
    envelopes.len() != before
}

/// Whether a cancellation is for this request.
fn cancels(cancellation: &[u8], request: &Envelope) -> bool {
    let text = String::from_utf8_lossy(cancellation);
    let id = String::from_utf8_lossy(request.id.as_deref().unwrap_or_default());
    let named = text.split_once("\"requestId\"").and_then(|(_, after)| after.trim_start().strip_prefix(':'));
    let after = named.and_then(|value| value.trim_start().strip_prefix(&*id));
    after.is_some_and(|after| after.trim_start().starts_with([',', '}']))
}

/// Writes a line to the app. If that fails, the app is gone.
fn write_line(out: &mut StdoutLock, parts: &[&[u8]]) {
    if parts.iter().try_for_each(|part| out.write_all(part)).and_then(|()| out.flush()).is_err() {
        end();
    }
}

/// A read timed out.
fn is_late(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

fn fail_lost(envelope: &Envelope) {
    // A null id does not identify the request.
    if !envelope.has_null_id() {
        refuse(&envelope.id, LOST);
    }
}

fn refuse(id: &Option<Vec<u8>>, error: &str) {
    let id = id.as_deref().unwrap_or(b"null");
    write_line(&mut io::stdout().lock(), &[b"{\"jsonrpc\":\"2.0\",\"id\":", id, b",\"error\":", error.as_bytes(), b"}\n"]);
}

impl State {
    fn is_handshake_open(&self) -> bool {
        self.initialize.is_some() && !self.is_initialized
    }

    fn is_initialize(&self, key: &[u16]) -> bool {
        self.initialize.as_ref().is_some_and(|line| line.envelope.key == key)
    }

    fn record_sent(&mut self, bytes: &[u8], envelope: &Envelope) {
        let line = || Line { bytes: bytes.to_vec(), envelope: envelope.clone() };
        match envelope.method() {
            "initialize" if envelope.id.is_some() => {
                (self.initialize, self.is_initialized, self.initialized_line) = (Some(line()), false, None);
            }
            "notifications/initialized" => self.initialized_line = Some(line().bytes),
            "subscriptions/listen" if envelope.id.is_some() => self.subscriptions.push(line()),
            // Its response is no longer awaited, and may never come.
            "notifications/cancelled" => {
                self.subscriptions.retain(|each| !cancels(bytes, &each.envelope));
                self.in_flight.retain(|each| !cancels(bytes, each));
            }
            "resources/list" => self.listed[0] = true,
            "prompts/list" => self.listed[1] = true,
            _ => {}
        }
        if envelope.is_request() {
            self.in_flight.push(envelope.clone());
        }
    }

    /// Treats the message as never sent.
    fn forget(&mut self, envelope: &Envelope) {
        if envelope.is_request() {
            remove(&mut self.in_flight, &envelope.key);
            self.subscriptions.retain(|each| each.envelope.key != envelope.key);
            if self.is_initialize(&envelope.key) {
                self.initialize = None;
            }
        }
        if envelope.method() == "notifications/initialized" {
            self.initialized_line = None;
        }
    }

    /// Records a message of the gateway.
    fn record_received(&mut self, envelope: &Envelope) {
        if envelope.is_request() {
            self.server_requests.push(envelope.clone());
        } else if envelope.is_response() {
            remove(&mut self.in_flight, &envelope.key);
            self.subscriptions.retain(|each| each.envelope.key != envelope.key);
            self.is_initialized |= self.is_initialize(&envelope.key);
        } else if envelope.is_invalid {
            // These are answered in order.
            if let Some(at) = self.in_flight.iter().position(Envelope::has_null_id) {
                self.in_flight.remove(at);
            }
        }
    }

    fn with_id(&mut self, envelope: Envelope) -> Envelope {
        self.invalid_count += 1;
        envelope.with_id(self.invalid_count)
    }

    /// True for lines that the next gateway must get: all except those of a request in flight.
    fn waits_while_resting(&self, line: &Line) -> bool {
        let is_cancellation = line.envelope.method() == "notifications/cancelled";
        let belongs = line.envelope.is_response() || is_cancellation && self.in_flight.iter().any(|each| cancels(&line.bytes, each));
        self.is_resting && !belongs
    }

    fn is_needed(&self) -> bool {
        self.is_handshake_open() || self.queue.iter().any(|line| line.envelope.is_request())
    }

    /// The same, including what a connection has. Subscriptions do not count, since they have no response.
    fn is_awaiting_response(&self) -> bool {
        let is_listening = |key: &[u16]| self.subscriptions.iter().any(|line| line.envelope.key == key);
        self.is_needed() || self.in_flight.iter().any(|each| !is_listening(&each.key))
    }

    /// The connection has the beginning of a long line, but not its end.
    fn is_mid_sent_line(&self) -> bool {
        self.is_mid_long_line && !self.is_torn
    }

    /// Shuts the connection down; its reader then ends.
    fn close(&mut self) {
        if let Some(connection) = self.open.take() {
            let _ = connection.shutdown(Shutdown::Both);
        }
    }

    fn enqueue(&mut self, line: Line, is_first: bool) {
        self.queued_bytes += line.bytes.len();
        if is_first { self.queue.push_front(line) } else { self.queue.push_back(line) }
    }
}

impl Session {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Records a message of the gateway.
    fn record_received(&self, envelope: &Envelope) {
        let mut state = self.state();
        state.record_received(envelope);
        state.received += 1;
        self.room.notify_all();
    }

    /// Whether the app waits for something that no connection has.
    pub fn is_needed(&self) -> bool {
        self.state().is_needed()
    }

    /// Waits until a gateway is needed, at most `timeout`.
    pub fn wait_until_needed(&self, timeout: Duration) {
        drop(self.room.wait_timeout_while(self.state(), timeout, |state| !state.is_needed()));
    }

    /// Answers every waiting request with this error.
    pub fn refuse_waiting(&self, error: &str) {
        let mut state = self.state();
        if state.is_handshake_open() {
            refuse(&state.initialize.as_ref().and_then(|line| line.envelope.id.clone()), error);
        }
        state.is_initialized = true;
        for line in std::mem::take(&mut state.queue).iter().filter(|line| line.envelope.is_request()) {
            refuse(&line.envelope.id, error);
        }
        state.queued_bytes = 0;
        self.room.notify_all();
    }

    /// Reads the app until its input ends.
    pub fn serve_app(&self) {
        let mut reader = LineReader::default();
        let mut chunk = [0; CHUNK];
        loop {
            let full = |state: &State| (state.open.is_none() || state.is_resting) && state.queued_bytes + reader.pending.len() >= MAX_QUEUED_BYTES;
            drop(self.room.wait_while(self.state(), |state| full(state)));
            match io::stdin().lock().read(&mut chunk) {
                Ok(0) => {
                    if reader.is_long || !reader.pending.is_empty() {
                        // The last line may have no line end.
                        reader.push(b"\n", &mut &*self);
                    }
                    let mut state = self.state();
                    state.has_input_ended = true;
                    let requests = state.server_requests.clone();
                    drop(state);
                    requests.iter().for_each(|question| self.decline(question));
                    self.await_responses();
                    return self.finish();
                }
                Ok(length) => reader.push(&chunk[..length], &mut &*self),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    }

    /// Answers for the app, since a server waits for the response.
    fn decline(&self, question: &Envelope) {
        let id = String::from_utf8_lossy(question.id.as_deref().unwrap_or(b"null"));
        let answer = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":{ENDED}}}\n");
        LineReader::default().push(answer.as_bytes(), &mut &*self);
    }

    /// Records a message of the gateway, and answers a question that the app no longer can: in a thread of its own,
    /// since both sides may be full.
    fn receive(self: &Arc<Self>, envelope: &Envelope) {
        self.record_received(envelope);
        if envelope.is_request() && self.state().has_input_ended {
            let (session, question) = (Arc::clone(self), envelope.clone());
            std::thread::spawn(move || session.decline(&question));
        }
    }

    /// A script closes its output after its last request: the responses still have to come.
    fn await_responses(&self) {
        let began = Instant::now();
        let mut state = self.state();
        while state.is_awaiting_response() && began.elapsed() < MAX_RESPONSE_TIME {
            let received = state.received;
            let is_quiet = |state: &mut State| state.is_awaiting_response() && state.received == received;
            let (next, waited) = self.room.wait_timeout_while(state, RESPONSE_TIMEOUT, is_quiet).unwrap();
            state = next;
            if waited.timed_out() {
                break;
            }
        }
        let sent = std::mem::take(&mut state.in_flight);
        let listening: Vec<_> = state.subscriptions.iter().map(|line| line.envelope.key.clone()).collect();
        drop(state);
        for envelope in sent.iter().filter(|each| !listening.contains(&each.key)) {
            fail_lost(envelope);
        }
    }

    /// Waits until everything is sent, at most `CLOSING_TIME`.
    fn finish(&self) {
        let is_leaving = |state: &mut State| {
            has_connected() && state.open.is_none() && !state.queue.is_empty()
        };
        drop(self.room.wait_timeout_while(self.state(), CLOSING_TIME, is_leaving));
    }

    /// Serves one gateway until it ends.
    pub fn serve_gateway(self: &Arc<Self>, connection: Connection) -> Ended {
        let _ = connection.set_read_timeout(Some(POLL));
        let connection = Arc::new(connection);
        let mut state = self.state();
        state.current = Some(Arc::clone(&connection));
        let repeated_key =
            state.initialize.as_ref().filter(|_| state.is_initialized).map(|line| line.envelope.key.clone());
        drop(state);
        let mut side = GatewaySide {
            session: self,
            connection: &connection,
            is_here: false,
            repeated_key,
            is_next_returned: false,
            long: None,
        };
        let (mut reader, mut chunk, mut has_received) = (LineReader::default(), [0; CHUNK], false);
        let mut silent_polls = 0;
        while silent_polls < SILENT_POLLS {
            match (&*connection).read(&mut chunk) {
                Ok(0) => break,
                Ok(length) => {
                    if cfg!(windows) && !has_received {
                        // On Windows a receive that timed out leaves its socket undefined (setsockopt, SO_RCVTIMEO).
                        let _ = connection.set_read_timeout(None);
                    }
                    (has_received, silent_polls) = (true, 0);
                    reader.push(&chunk[..length], &mut side);
                }
                Err(error) if is_late(&error) => {
                    let is_silent = !has_received || self.ping(&connection);
                    silent_polls = if is_silent { silent_polls + 1 } else { 0 };
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        if let Some(mut out) = side.long.take() {
            // Terminates a partial line, so that what follows is a line of its own.
            write_line(&mut out, &[b"\n"]);
        }
        let _ = connection.shutdown(Shutdown::Both);
        self.disconnect();
        match has_received {
            true => Ended::Served,
            false if silent_polls == SILENT_POLLS => Ended::Silent,
            false => Ended::Nothing,
        }
    }

    /// Sends the rest of the handshake, and then the queue: in a thread of its own, since both sides may be full.
    fn resume(self: &Arc<Self>, connection: &Arc<Connection>) {
        let (session, connection) = (Arc::clone(self), Arc::clone(connection));
        std::thread::spawn(move || {
            let _writing = session.writing.lock().unwrap();
            let mut state = session.state();
            if !state.current.as_ref().is_some_and(|current| Arc::ptr_eq(current, &connection)) {
                // It was lost meanwhile.
                return;
            }
            let mut handshake = state.initialized_line.clone().unwrap_or_default();
            for line in state.subscriptions.clone() {
                handshake.extend(&line.bytes);
                state.in_flight.push(line.envelope);
            }
            if !handshake.is_empty() {
                let mut out = io::stdout().lock();
                let lists = LISTED.iter().zip(state.listed).filter(|(_, listed)| *listed).map(|(list, _)| *list);
                for list in std::iter::once("tools").chain(lists) {
                    let text = format!("{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/{list}/list_changed\"}}\n");
                    write_line(&mut out, &[text.as_bytes()]);
                }
            }
            drop(state);
            let mut is_alive = (&*connection).write_all(&handshake).is_ok();
            while is_alive {
                let mut state = session.state();
                if state.is_resting {
                    return;
                }
                let Some(line) = state.queue.pop_front() else {
                    state.open = Some(connection);
                    session.room.notify_all();
                    return;
                };
                state.queued_bytes -= line.bytes.len();
                drop(state);
                is_alive = session.send(&connection, line);
            }
        });
    }

    /// Pings the gateway if the app waits for something: in a thread of its own, as the gateway may read nothing.
    /// Returns whether a response is due.
    fn ping(self: &Arc<Self>, connection: &Arc<Connection>) -> bool {
        if !self.state().is_awaiting_response() {
            return false;
        }
        if self.state().is_mid_sent_line() {
            // No control line can be sent within a long line; the gateway hangs only if it does not read the rest
            // either.
            return self.writing.try_lock().is_err();
        }
        let (session, connection) = (Arc::clone(self), Arc::clone(connection));
        std::thread::spawn(move || {
            let _writing = session.writing.lock().unwrap();
            if !session.state().is_mid_sent_line() {
                let _ = (&*connection).write_all(ASK);
            }
        });
        true
    }

    /// Makes requests wait, and confirms that to the gateway: in a thread of its own, since both sides may be full.
    fn rest(self: &Arc<Self>, connection: &Arc<Connection>) {
        self.state().is_resting = true;
        let (session, connection) = (Arc::clone(self), Arc::clone(connection));
        std::thread::spawn(move || {
            let _writing = session.writing.lock().unwrap();
            // After the end of a long line that was partly sent.
            if !session.state().is_mid_sent_line() {
                let _ = (&*connection).write_all(RESTING);
            }
        });
    }

    /// Requires `writing`. The gateway ignores a partly sent line, so that one is queued again.
    fn send(&self, connection: &Connection, line: Line) -> bool {
        self.state().record_sent(&line.bytes, &line.envelope);
        let is_sent = (&*connection).write_all(&line.bytes).is_ok();
        if !is_sent {
            let mut state = self.state();
            state.forget(&line.envelope);
            state.enqueue(line, true);
            state.close();
        }
        is_sent
    }

    fn disconnect(&self) {
        let _writing = self.writing.lock().unwrap();
        let mut state = self.state();
        (state.current, state.open, state.is_resting) = (None, None, false);
        for line in std::mem::take(&mut state.returned).into_iter().rev() {
            state.enqueue(line, true);
        }
        state.is_torn |= state.is_mid_long_line;
        for envelope in std::mem::take(&mut state.in_flight) {
            let is_listening = state.subscriptions.iter().any(|line| line.envelope.key == envelope.key);
            if !is_listening && !(state.is_handshake_open() && state.is_initialize(&envelope.key)) {
                fail_lost(&envelope);
            }
        }
        for envelope in std::mem::take(&mut state.server_requests) {
            let id = envelope.id.unwrap_or_default();
            let before = b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":";
            write_line(&mut io::stdout().lock(), &[before, &id, b"}}\n"]);
        }
        self.room.notify_all();
    }
}

/// Lines from the app.
impl Sink for &Session {
    fn limit(&self) -> usize {
        let state = self.state();
        if state.open.is_some() && !state.is_resting { MAX_HELD_BYTES } else { usize::MAX }
    }

    fn whole(&mut self, line: &[u8], envelope: Envelope) {
        let _writing = self.writing.lock().unwrap();
        let mut state = self.state();
        // The gateway skips an empty line.
        let envelope = if matches!(line, b"\n" | b"\r\n") { envelope } else { state.with_id(envelope) };
        // The question came from a lost connection; the next one may have asked something else with that id.
        if envelope.is_response() && !remove(&mut state.server_requests, &envelope.key) {
            return;
        }
        let line = Line { bytes: line.to_vec(), envelope };
        let connection = state.open.clone().filter(|_| !state.waits_while_resting(&line));
        let Some(connection) = connection else {
            self.room.notify_all();
            return state.enqueue(line, false);
        };
        drop(state);
        self.send(&connection, line);
    }

    fn part(&mut self, part: &[u8]) {
        let _writing = self.writing.lock().unwrap();
        let mut state = self.state();
        state.is_mid_long_line = true;
        let Some(connection) = state.open.clone().filter(|_| !state.is_torn) else { return state.is_torn = true };
        drop(state);
        if (&*connection).write_all(part).is_err() {
            let mut state = self.state();
            state.is_torn = true;
            state.close();
        }
    }

    fn end(&mut self, part: &[u8], envelope: Envelope) {
        let _writing = self.writing.lock().unwrap();
        let mut state = self.state();
        state.is_mid_long_line = false;
        let envelope = state.with_id(envelope);
        let is_torn = std::mem::take(&mut state.is_torn);
        let connection = state.open.clone().filter(|_| !is_torn);
        if let Some(connection) = connection {
            if envelope.is_request() {
                state.in_flight.push(envelope.clone());
            } else if envelope.is_response() {
                remove(&mut state.server_requests, &envelope.key);
            }
            let word = if state.is_resting { RESTING } else { b"" };
            drop(state);
            if (&*connection).write_all(part).and_then(|()| (&*connection).write_all(word)).is_err() {
                self.state().close();
            }
        } else if envelope.is_request() {
            fail_lost(&envelope);
        }
    }
}

/// Lines from one gateway.
struct GatewaySide<'a> {
    session: &'a Arc<Session>,
    connection: &'a Arc<Connection>,
    /// It has sent `here`, and got the handshake.
    is_here: bool,
    /// Key of the repeated handshake, whose response is not for the app.
    repeated_key: Option<Vec<u16>>,
    /// The next line is one of the app's that is returned.
    is_next_returned: bool,
    /// Standard output, locked while a long line is written.
    long: Option<StdoutLock<'static>>,
}

impl GatewaySide<'_> {
    /// Sends nothing before the gateway's `here`: one that is ending accepts connections whose lines it never reads.
    fn begin(&mut self) {
        if std::mem::replace(&mut self.is_here, true) {
            return;
        }
        let mut state = self.session.state();
        let again = state.initialize.clone();
        if self.repeated_key.is_none() {
            state.in_flight.extend(again.as_ref().map(|line| line.envelope.clone()));
        }
        drop(state);
        if let Some(line) = again {
            let _ = (&**self.connection).write_all(&line.bytes);
        }
        if self.repeated_key.is_none() {
            self.session.resume(self.connection);
        }
    }
}

impl Sink for GatewaySide<'_> {
    fn limit(&self) -> usize {
        if self.repeated_key.is_some() || self.is_next_returned { usize::MAX } else { MAX_HELD_BYTES }
    }

    fn whole(&mut self, line: &[u8], envelope: Envelope) {
        let is_repeated = envelope.id.is_some() && self.repeated_key.as_ref().is_some_and(|key| *key == envelope.key);
        if std::mem::take(&mut self.is_next_returned) {
            // The repeated handshake is stored anyway.
            if !is_repeated {
                let mut state = self.session.state();
                state.forget(&envelope);
                state.returned.push(Line { bytes: line.to_vec(), envelope });
            }
            return;
        }
        match line {
            HERE => return self.begin(),
            BACK => return self.is_next_returned = true,
            REST => return self.session.rest(self.connection),
            _ => {}
        }
        if is_repeated && envelope.is_response() {
            self.repeated_key = None;
            return self.session.resume(self.connection);
        }
        if envelope.may_be_last() {
            // Once the last response is recorded, the process may end.
            write_line(&mut io::stdout().lock(), &[line]);
            return self.session.record_received(&envelope);
        }
        self.session.receive(&envelope);
        write_line(&mut io::stdout().lock(), &[line]);
    }

    fn part(&mut self, part: &[u8]) {
        write_line(self.long.get_or_insert_with(|| io::stdout().lock()), &[part]);
    }

    fn end(&mut self, part: &[u8], envelope: Envelope) {
        if !envelope.may_be_last() {
            self.session.receive(&envelope);
        }
        self.part(part);
        self.long = None;
        if envelope.may_be_last() {
            self.session.record_received(&envelope);
        }
    }
}

/// Sleeps between attempts to find a gateway.
pub fn pause(milliseconds: u64) {
    std::thread::sleep(Duration::from_millis(milliseconds));
}
