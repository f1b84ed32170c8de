//! Splits a byte stream into lines and reads each line's envelope.

use crate::envelope::{Envelope, Scanner};

/// Receives lines: whole with their line end, or in parts if they are longer than `limit` bytes, so that a message of
/// many MB is never held in memory.
pub trait Sink {
    fn limit(&self) -> usize;
    fn whole(&mut self, line: &[u8], envelope: Envelope);
    fn part(&mut self, part: &[u8]);
    fn end(&mut self, part: &[u8], envelope: Envelope);
}

#[derive(Default)]
pub struct LineReader {
    scanner: Scanner,
    pub pending: Vec<u8>,
    pub is_long: bool,
}

impl LineReader {
    pub fn push(&mut self, chunk: &[u8], sink: &mut impl Sink) {
        for piece in chunk.split_inclusive(|&byte| byte == b'\n') {
            let Some(message) = piece.strip_suffix(b"\n") else { return self.store(piece, sink) };
            self.scanner.feed(message);
            let envelope = self.scanner.finish();
            if std::mem::take(&mut self.is_long) {
                sink.end(piece, envelope);
            } else if self.pending.is_empty() {
                sink.whole(piece, envelope);
            } else {
                self.pending.extend_from_slice(piece);
                sink.whole(&std::mem::take(&mut self.pending), envelope);
            }
        }
    }

    fn store(&mut self, piece: &[u8], sink: &mut impl Sink) {
        self.scanner.feed(piece);
        if self.is_long {
            return sink.part(piece);
        }
        self.pending.extend_from_slice(piece);
        if self.pending.len() > sink.limit() {
            self.is_long = true;
            sink.part(&std::mem::take(&mut self.pending));
        }
    }
}
