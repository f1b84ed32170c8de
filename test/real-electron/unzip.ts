import { closeSync, fstatSync, mkdirSync, openSync, readSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inflateRawSync } from 'node:zlib';

/** Signatures of zip records (APPNOTE 4.3). */
const record = { end: 0x06054b50, entry: 0x02014b50 };
const link = 0o120000;

/**
 * Unpacks the `wanted` files of a zip with their modes and links, because `unzip` may not be installed. For zips under
 * 4 GB without a comment, whose bytes have been verified.
 */
export function unzip(file: string, folder: string, filter: (name: string) => boolean): void {
  const zip = openSync(file, 'r');
  try {
    const read = (position: number, length: number): Buffer => {
      const bytes = Buffer.alloc(length);
      if (readSync(zip, bytes, 0, length, position) !== length) throw new Error('the zip ends too early');
      return bytes;
    };
    const { size } = fstatSync(zip);
    const end = read(size - 22, 22);
    if (end.readUInt32LE(0) !== record.end) throw new Error('this is no zip, or one with a comment');
    const entries = read(end.readUInt32LE(16), end.readUInt32LE(12));
    for (let at = 0; at < entries.length;) {
      const entry = entries.subarray(at);
      if (entry.readUInt32LE(0) !== record.entry) throw new Error('the zip has an entry of another kind');
      const [nameLength, more, comment] = [entry.readUInt16LE(28), entry.readUInt16LE(30), entry.readUInt16LE(32)];
      const name = entry.toString('utf8', 46, 46 + nameLength);
      at += 46 + nameLength + more + comment;
      if (name.endsWith('/') || !filter(name)) continue;
      const start = entry.readUInt32LE(42);
      const head = read(start, 30);
      const packed = read(start + 30 + head.readUInt16LE(26) + head.readUInt16LE(28), entry.readUInt32LE(20));
      const bytes = entry.readUInt16LE(10) === 0 ? packed : inflateRawSync(packed);
      const mode = entry.readUInt32LE(38) >>> 16;
      const target = path.join(folder, name);
      mkdirSync(path.dirname(target), { recursive: true });
      if ((mode & 0o170000) === link) symlinkSync(bytes.toString(), target);
      else writeFileSync(target, bytes, { mode: mode & 0o777 || 0o644 });
    }
  } finally {
    closeSync(zip);
  }
}
