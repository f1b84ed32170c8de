//! The envelope of one message, read as its bytes pass. Same as scan-envelope.js.

/// If a member appears twice, the last one counts. `key` is equal for equal ids, however a string was escaped.
#[derive(Clone, Default)]
pub struct Envelope {
    pub id: Option<Vec<u8>>,
    pub key: Vec<u16>,
    pub method: Option<String>,
    /// It has a result or an error.
    has_outcome: bool,
    /// The receiver answers it with a null id, as it does a line that is not a message (JSON-RPC 2.0 section 5).
    pub is_invalid: bool,
}

impl Envelope {
    pub fn method(&self) -> &str {
        self.method.as_deref().unwrap_or_default()
    }
    pub fn is_request(&self) -> bool {
        self.id.is_some() && !self.is_response()
    }
    pub fn is_response(&self) -> bool {
        self.id.is_some() && self.method.is_none() && self.has_outcome
    }
    /// From the gateway: the app may be waiting for this.
    pub fn may_be_last(&self) -> bool {
        self.is_response() || self.is_invalid
    }
    /// A line that is not a message counts as a request, since it is answered.
    pub fn with_id(self, number: usize) -> Self {
        if !self.is_invalid {
            return self;
        }
        let key = format!("null {number}").encode_utf16().collect();
        Self { id: Some(b"null".to_vec()), key, ..self }
    }
    pub fn has_null_id(&self) -> bool {
        self.key.first() == Some(&u16::from(b'n'))
    }
}

/// Bytes of an id or name that are stored; a longer one is ignored.
const MAX_TEXT: usize = 4096;

#[derive(Default)]
pub struct Scanner {
    envelope: Envelope,
    depth: usize,
    is_object: bool,
    in_string: bool,
    escaped: bool,
    expects_name: bool,
    name: String,
    has_id: bool,
    stores: bool,
    bytes: Vec<u8>,
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
            // Most bytes of a long message are text that is skipped.
            if !self.stores && !self.escaped && byte != b'"' && byte != b'\\' {
                let text = &bytes[at..];
                at += text.iter().position(|&next| next == b'"' || next == b'\\').unwrap_or(text.len());
                continue;
            }
            self.store(byte);
            if byte == b'"' && !self.escaped {
                self.in_string = false;
                self.end_string();
            }
            self.escaped = byte == b'\\' && !self.escaped;
        }
    }

    /// Returns the envelope of the message that ends here; the next byte begins another.
    pub fn finish(&mut self) -> Envelope {
        let Self { envelope, depth, in_string, has_id, .. } = std::mem::take(self);
        let is_broken = depth != 0 || in_string || has_id;
        let is_invalid = envelope.id.is_none() && (envelope.method.is_none() || is_broken);
        Envelope { is_invalid, ..envelope }
    }

    fn store(&mut self, byte: u8) {
        if self.stores && self.bytes.len() <= MAX_TEXT {
            self.bytes.push(byte);
        }
    }

    fn read_token(&mut self, byte: u8) {
        let named = self.is_object && self.depth == 1;
        match byte {
            b'"' => {
                self.in_string = true;
                self.stores = named && (self.expects_name || self.is_stored_member());
                self.store(byte);
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
                self.stores = self.is_stored_member();
                self.store(byte);
            }
        }
    }

    fn is_stored_member(&self) -> bool {
        !self.expects_name && (self.name == "id" || self.name == "method")
    }

    fn end_string(&mut self) {
        if !self.expects_name || !self.stores {
            return self.end_value();
        }
        self.stores = false;
        self.name = String::from_utf16_lossy(&decode(&std::mem::take(&mut self.bytes)));
        self.has_id |= self.name == "id";
        match self.name.as_str() {
            "id" => self.envelope.id = None,
            "method" => self.envelope.method = None,
            "result" | "error" => self.envelope.has_outcome = true,
            _ => {}
        }
    }

    fn end_value(&mut self) {
        self.stores = false;
        let bytes = std::mem::take(&mut self.bytes);
        let Some(&first) = bytes.first().filter(|_| bytes.len() <= MAX_TEXT) else { return };
        let is_string = first == b'"';
        if self.name == "method" {
            self.envelope.method = is_string.then(|| String::from_utf16_lossy(&decode(&bytes)));
        } else if is_string || first == b'-' || first.is_ascii_digit() {
            // Strings and numbers differ in their first character.
            self.envelope.key = bytes[..1].iter().map(|&byte| u16::from(byte)).chain(decode(&bytes)).collect();
            self.envelope.id = Some(bytes);
        }
    }
}

/// Decodes a JSON string with its quotes, to UTF-16, since an escape may be half a surrogate pair. Other values stay as
/// written.
fn decode(raw: &[u8]) -> Vec<u16> {
    let text = String::from_utf8_lossy(raw);
    let inner = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.and_then(unescape).unwrap_or_else(|| text.encode_utf16().collect())
}

fn unescape(text: &str) -> Option<Vec<u16>> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(letter) = rest.next() {
        if letter != '\\' {
            decoded.extend_from_slice(letter.encode_utf16(&mut [0; 2]));
            continue;
        }
        decoded.push(match rest.next()? {
            'b' => 8,
            'f' => 12,
            'n' => 10,
            'r' => 13,
            't' => 9,
            'u' => u16::from_str_radix(&rest.by_ref().take(4).collect::<String>(), 16).ok()?,
            plain @ ('"' | '\\' | '/') => plain as u16,
            _ => return None,
        });
    }
    Some(decoded)
}
