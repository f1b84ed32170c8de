const startsWith = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.toString('latin1', at, at + text.length) === text;

/**
 * WAV or MPEG audio by its bytes: forms that unfold little. Whatever follows a tag of ID3 counts, since the player
 * looks past it too, and an hour of silence is a few kilobytes of FLAC.
 */
export function isSoundFile(bytes: Buffer): boolean {
  if (startsWith(bytes, 'RIFF')) return startsWith(bytes, 'WAVE', 8);
  return isMpegFrame(bytes, startsWith(bytes, 'ID3') ? lengthOfTag(bytes) : 0);
}

/** ISO/IEC 11172-3, 2.4.1.3: eleven bits of one, and a layer; without a layer it is AAC. */
function isMpegFrame(bytes: Buffer, at: number): boolean {
  const second = bytes[at + 1] ?? 0;
  return bytes[at] === 0xff && (second & 0xe0) === 0xe0 && (second & 0x06) !== 0;
}

/** ID3v2.4, section 3.1: four bytes of seven bits, beside a head and perhaps a foot of ten bytes each. */
function lengthOfTag(bytes: Buffer): number {
  const [flags = 0, ...size] = bytes.subarray(5, 10);
  return 10 + size.reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0) + ((flags & 0x10) === 0 ? 0 : 10);
}
