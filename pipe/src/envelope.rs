//! The envelope of one message, read while its bytes pass: see scan-envelope.js, which does the same.

/// Of two members of one name the last counts. `key` is equal for ids that are equal, however a string was escaped.
#[derive(Clone, Default)]
pub struct Envelope {
    pub id: Option<Vec<u8>>,
    pub key: Vec<u8>,
    pub method: Option<Vec<u8>>,
}

impl Envelope {
    pub fn method(&self) -> &[u8] {
        self.method.as_deref().unwrap_or_default()
    }
    pub fn is_request(&self) -> bool {
        self.id.is_some() && self.method.is_some()
    }
    pub fn is_answer(&self) -> bool {
        self.id.is_some() && self.method.is_none()
    }
}

/// Bytes of an id or name that are kept; a longer one is as good as none.
const LONGEST_TEXT: usize = 4096;

#[derive(Default)]
pub struct Scanner {
    envelope: Envelope,
    depth: usize,
    is_object: bool,
    in_string: bool,
    escaped: bool,
    expects_name: bool,
    name: Vec<u8>,
    keeps: bool,
    kept: Vec<u8>,
}

impl Scanner {
    /// Bytes of one message, without its line end.
    pub fn feed(&mut self, bytes: &[u8]) {
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            at += 1;
            if !self.in_string {
                self.read_token(byte);
                continue;
            }
            // Most bytes of a long message are text that nobody asks for.
            if !self.keeps && !self.escaped && byte != b'"' && byte != b'\\' {
                let text = &bytes[at..];
                at += text.iter().position(|&next| next == b'"' || next == b'\\').unwrap_or(text.len());
                continue;
            }
            self.keep(byte);
            if byte == b'"' && !self.escaped {
                self.in_string = false;
                self.end_string();
            }
            self.escaped = byte == b'\\' && !self.escaped;
        }
    }

    /// The envelope of the message that ends here; the next byte begins another.
    pub fn take(&mut self) -> Envelope {
        std::mem::take(self).envelope
    }

    fn keep(&mut self, byte: u8) {
        if self.keeps && self.kept.len() <= LONGEST_TEXT {
            self.kept.push(byte);
        }
    }

    fn read_token(&mut self, byte: u8) {
        let named = self.is_object && self.depth == 1;
        match byte {
            b'"' => {
                self.in_string = true;
                self.keeps = named && (self.expects_name || self.is_wanted());
                self.keep(byte);
            }
            b'{' | b'[' => {
                if self.depth == 0 {
                    self.is_object = byte == b'{';
                    self.expects_name = true;
                }
                self.depth += 1;
            }
            b'}' | b']' => {
                self.end_value();
                self.depth = self.depth.saturating_sub(1);
            }
            _ if !named => {}
            b',' => {
                self.end_value();
                self.expects_name = true;
            }
            b':' => self.expects_name = false,
            0..=b' ' => self.end_value(),
            _ => {
                self.keeps = self.is_wanted();
                self.keep(byte);
            }
        }
    }

    fn is_wanted(&self) -> bool {
        !self.expects_name && (self.name == b"id" || self.name == b"method")
    }

    fn end_string(&mut self) {
        if !self.expects_name || !self.keeps {
            return self.end_value();
        }
        self.keeps = false;
        self.name = decode(&std::mem::take(&mut self.kept));
        match self.name.as_slice() {
            b"id" => self.envelope.id = None,
            b"method" => self.envelope.method = None,
            _ => {}
        }
    }

    fn end_value(&mut self) {
        self.keeps = false;
        let kept = std::mem::take(&mut self.kept);
        let Some(&first) = kept.first().filter(|_| kept.len() <= LONGEST_TEXT) else { return };
        let is_string = first == b'"';
        if self.name == b"method" {
            self.envelope.method = is_string.then(|| decode(&kept));
        } else if is_string || first == b'-' || first.is_ascii_digit() {
            self.envelope.key = if is_string { [b"\"", decode(&kept).as_slice()].concat() } else { kept.clone() };
            self.envelope.id = Some(kept);
        }
    }
}

/// What a JSON string says, given with its quotes.
fn decode(raw: &[u8]) -> Vec<u8> {
    let inner = raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default();
    unescape(inner).unwrap_or_else(|| raw.to_vec())
}

fn unescape(text: &[u8]) -> Option<Vec<u8>> {
    let mut said = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at += 1;
        if byte != b'\\' {
            said.push(byte);
            continue;
        }
        let escape = *text.get(at)?;
        at += 1;
        let plain = match escape {
            b'"' | b'\\' | b'/' => escape,
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                let mut unit = code_unit(text, at)?;
                at += 4;
                if (0xd800..0xdc00).contains(&unit) && text.get(at..at + 2) == Some(b"\\u") {
                    let low = code_unit(text, at + 2)?;
                    if (0xdc00..0xe000).contains(&low) {
                        unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                        at += 6;
                    }
                }
                push_utf8(&mut said, unit);
                continue;
            }
            _ => return None,
        };
        said.push(plain);
    }
    Some(said)
}

fn code_unit(text: &[u8], at: usize) -> Option<u32> {
    let digits = text.get(at..at + 4).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))?;
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// Halves of a pair too, which `char` does not know.
fn push_utf8(out: &mut Vec<u8>, code: u32) {
    let tail = |shift: u32| 0x80 | (code >> shift & 0x3f) as u8;
    match code {
        0..0x80 => out.push(code as u8),
        0x80..0x800 => out.extend([0xc0 | (code >> 6) as u8, tail(0)]),
        0x800..0x10000 => out.extend([0xe0 | (code >> 12) as u8, tail(6), tail(0)]),
        _ => out.extend([0xf0 | (code >> 18) as u8, tail(12), tail(6), tail(0)]),
    }
}
