const startsWith = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.toString('latin1', at, at + text.length) === text;

/**
 * WAV or MPEG audio by its bytes: forms that unfold little. Whatever follows a tag of ID3 counts, since the player
 * looks past it too, and an hour of silence is a few kilobytes of FLAC.
 */
export function isSoundFile(bytes: Buffer): boolean {
  if (startsWith(bytes, 'RIFF')) return startsWith(bytes, 'WAVE', 8) && isPlainFormat(formatOf(bytes));
  return isMpegFrame(bytes, startsWith(bytes, 'ID3') ? lengthOfTag(bytes) : 0);
}

/** PCM, as integers and as floats, A-law, µ-law and MP3 (RFC 2361); a WAV may hold anything else too, also packed. */
const plainFormats: ReadonlySet<number> = new Set([1, 3, 6, 7, 0x55]);
const extensible = 0xfffe;
/** Of an extensible one: its format, as the first two bytes of a GUID that ends so. */
const subFormat = 24;
const restOfGuid = Buffer.from('000000001000800000aa00389b71', 'hex');

function isPlainFormat(format: Buffer | undefined): boolean {
  if (!format || format.length < 16) return false;
  const tag = format.readUInt16LE();
  if (tag !== extensible) return plainFormats.has(tag);
  const guid = format.subarray(subFormat, subFormat + 16);
  return guid.length === 16 && guid.subarray(2).equals(restOfGuid) && plainFormats.has(guid.readUInt16LE());
}

/** The first of its chunks that is a format, as the player takes it. */
function formatOf(bytes: Buffer): Buffer | undefined {
  for (let at = 12; at + 8 <= bytes.length;) {
    const size = bytes.readUInt32LE(at + 4);
    if (startsWith(bytes, 'fmt ', at)) return bytes.subarray(at + 8, at + 8 + size);
    at += 8 + size + (size % 2);
  }
  return undefined;
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
