//! The gateway of a profile at a loopback port: on Windows, where the standard library cannot read and write a named
//! pipe at once. The port and the secrets of both sides are in a file that only the user can read. Built with the
//! feature `loopback` to test on other systems.

use std::fs::File;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::time::Duration;

use crate::absent::Absent;
use crate::system::is_private;

pub type Connection = TcpStream;

/// Windows tries a closed port for two seconds.
const CONNECT_TIMEOUT: Duration = Duration::from_millis(500);
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(2);
const MAX_FILE: u64 = 4096;
/// Digits of each side's secret.
const SECRET_DIGITS: usize = 64;

/// Sends no app data before the other side has proved to be the gateway: after a gateway was killed, any process may
/// have its port.
pub fn connect(profile_folder: &Path) -> Result<Connection, Absent> {
    let endpoint = read_endpoint(&profile_folder.join("run")).ok_or(Absent::Gone)?;
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, endpoint.port));
    let connection = TcpStream::connect_timeout(&address, CONNECT_TIMEOUT).map_err(|error| Absent::Gone.or(&error))?;
    authenticate(connection, &endpoint).ok_or(Absent::Gone)
}

fn authenticate(mut connection: Connection, endpoint: &Endpoint) -> Option<Connection> {
    connection.set_nodelay(true).ok()?;
    connection.set_read_timeout(Some(RESPONSE_TIMEOUT)).ok()?;
    connection.write_all(format!("{{\"postern\":1,\"knock\":\"{}\"}}\n", endpoint.knock).as_bytes()).ok()?;
    let expected = format!("{{\"postern\":1,\"answer\":\"{}\"}}\n", endpoint.answer).into_bytes();
    let mut received = vec![0; expected.len()];
    connection.read_exact(&mut received).ok()?;
    connection.set_read_timeout(None).ok()?;
    (received == expected).then_some(connection)
}

struct Endpoint {
    port: u16,
    knock: String,
    answer: String,
}

/// As the gateway writes it: compact, and with each of these names once.
fn read_endpoint(folder: &Path) -> Option<Endpoint> {
    let mut text = String::new();
    let file = File::open(folder.join("endpoint.json")).ok().filter(|_| is_private(folder))?;
    file.take(MAX_FILE).read_to_string(&mut text).ok()?;
    let member = |name: &str| {
        let (_, after) = text.split_once(&format!("\"{name}\":"))?;
        Some(after.split([',', '}']).next()?.trim_matches('"').to_owned())
    };
    let secret = |name: &str| {
        let is_secret = |text: &String| text.len() == SECRET_DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        member(name).filter(is_secret)
    };
    Some(Endpoint { port: member("port")?.parse().ok()?, knock: secret("knock")?, answer: secret("answer")? })
}
