//! The gateway of a profile at a loopback port: on Windows, where the standard library cannot read and write a named
//! pipe at once. The port, and the secrets that each side shows, are in a file of the user's. Built with the feature
//! `loopback` to test on other systems.

use std::fs::File;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::time::Duration;

use crate::absent::Absent;
use crate::system::is_closed;

pub type Connection = TcpStream;

/// Windows tries a closed port for two seconds.
const CONNECTING_TIME: Duration = Duration::from_millis(500);
const ANSWERING_TIME: Duration = Duration::from_secs(2);
const LONGEST_FILE: u64 = 4096;
/// Digits of each side's secret.
const RANDOM_DIGITS: usize = 64;

/// Sends none of the app's before the other side has proved to be the gateway: after a gateway was killed, its port
/// may be anyone's.
pub fn connect(profile_folder: &Path) -> Result<Connection, Absent> {
    let place = read_place(&profile_folder.join("run")).ok_or(Absent::Gone)?;
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, place.port));
    let connection = TcpStream::connect_timeout(&address, CONNECTING_TIME).map_err(|error| Absent::Gone.or(&error))?;
    knock(connection, &place).ok_or(Absent::Gone)
}

fn knock(mut connection: Connection, place: &Place) -> Option<Connection> {
    connection.set_nodelay(true).ok()?;
    connection.set_read_timeout(Some(ANSWERING_TIME)).ok()?;
    connection.write_all(format!("{{\"postern\":1,\"knock\":\"{}\"}}\n", place.knock).as_bytes()).ok()?;
    let expected = format!("{{\"postern\":1,\"answer\":\"{}\"}}\n", place.answer).into_bytes();
    let mut heard = vec![0; expected.len()];
    connection.read_exact(&mut heard).ok()?;
    connection.set_read_timeout(None).ok()?;
    (heard == expected).then_some(connection)
}

struct Place {
    port: u16,
    knock: String,
    answer: String,
}

/// As the gateway writes it: compact, and with each of these names once.
fn read_place(folder: &Path) -> Option<Place> {
    let mut text = String::new();
    let file = File::open(folder.join("endpoint.json")).ok().filter(|_| is_closed(folder))?;
    file.take(LONGEST_FILE).read_to_string(&mut text).ok()?;
    let member = |name: &str| {
        let (_, after) = text.split_once(&format!("\"{name}\":"))?;
        Some(after.split([',', '}']).next()?.trim_matches('"').to_owned())
    };
    let random = |name: &str| {
        let is_random = |text: &String| text.len() == RANDOM_DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        member(name).filter(is_random)
    };
    Some(Place { port: member("port")?.parse().ok()?, knock: random("knock")?, answer: random("answer")? })
}
