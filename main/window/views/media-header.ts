import { Mime } from 'mime';
import otherTypes from 'mime/types/other.js';
import standardTypes from 'mime/types/standard.js';

/** Type and size from an image header. The declared type comes from the server and is not trusted. */
interface PictureSize {
  readonly type: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';
  readonly width: number;
  readonly height: number;
}

/** Largest displayed image: pixels per side and in total. A few kilobytes can decode to gigabytes. */
export const pictureBounds = { side: 8_192, pixels: 16_777_216 } as const;

/** `undefined`: not one of the four types, truncated, or too large. No SVG, which can contain scripts. */
export function readPictureSize(bytes: Buffer): PictureSize | undefined {
  const size = readPng(bytes) ?? readGif(bytes) ?? readWebp(bytes) ?? readJpeg(bytes);
  if (!size || size.width < 1 || size.height < 1) return undefined;
  const { side, pixels } = pictureBounds;
  return size.width <= side && size.height <= side && size.width * size.height <= pixels ? size : undefined;
}

const startsWith = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.toString('latin1', at, at + text.length) === text;

/** PNG, section 11.2.2: the first chunk is IHDR. */
function readPng(bytes: Buffer): PictureSize | undefined {
  if (bytes.length < 33 || !startsWith(bytes, '\x89PNG\r\n\x1A\n') || !startsWith(bytes, 'IHDR', 12)) return undefined;
  return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/**
 * GIF89a, sections 18 to 20: the screen and its frames. A frame larger than the screen would be drawn whole: refused.
 */
function readGif(bytes: Buffer): PictureSize | undefined {
  if (bytes.length < 13 || !(startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a'))) return undefined;
  const [width, height] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
  const colors = (packed = 0): number => ((packed & 0x80) === 0 ? 0 : 6 << (packed & 7));
  for (let at = 13 + colors(bytes[10]); at + 10 <= bytes.length;) {
    if (bytes[at] === 0x3b) break;
    if (bytes[at] === 0x2c) {
      const [left, top, frameWidth, frameHeight] = [1, 3, 5, 7].map((from) => bytes.readUInt16LE(at + from)) as Four;
      if (left + frameWidth > width || top + frameHeight > height) return undefined;
      at += 11 + colors(bytes[at + 9]);
    } else if (bytes[at] === 0x21) at += 2;
    else return undefined;
    // Data blocks start with their length; an empty one is the last.
    while ((bytes[at] ?? 0) !== 0) at += 1 + (bytes[at] ?? 0);
    at += 1;
  }
  return { type: 'image/gif', width, height };
}

type Four = [number, number, number, number];

/** RFC 9649, section 2.5 to 2.7. */
function readWebp(bytes: Buffer): PictureSize | undefined {
  if (bytes.length < 30 || !startsWith(bytes, 'RIFF') || !startsWith(bytes, 'WEBP', 8)) return undefined;
  const type = 'image/webp';
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { type, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { type, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

/** ITU T.81, annex B: the size is in the frame header, after length-prefixed segments. */
function readJpeg(bytes: Buffer): PictureSize | undefined {
  if (!startsWith(bytes, '\xFF\xD8\xFF')) return undefined;
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { type: 'image/jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    // Refuse fill bytes and markers without a length: the decoder might find a different frame.
    const hasLength = marker >= 0xc0 && marker < 0xff && !(marker >= 0xd0 && marker <= 0xda);
    if (!hasLength) return undefined;
  }
  return undefined;
}

/**
 * WAV or MPEG audio by its bytes: formats that do not expand much, unlike FLAC, where an hour of silence takes a few
 * kilobytes. Skips an ID3 tag, because the player does too.
 */
export function isSoundFile(bytes: Buffer): boolean {
  if (startsWith(bytes, 'RIFF')) return startsWith(bytes, 'WAVE', 8) && isPlainFormat(readFormatChunk(bytes));
  return isMpegFrame(bytes, startsWith(bytes, 'ID3') ? tagLength(bytes) : 0);
}

/**
 * PCM (integer and float), A-law, µ-law and MP3 (RFC 2361). A WAV may also contain any other, even compressed, codec.
 */
const plainFormats: ReadonlySet<number> = new Set([1, 3, 6, 7, 0x55]);
const extensible = 0xfffe;
/** For the extensible format: offset of the GUID whose first two bytes are the format, and the rest of that GUID. */
const subFormatOffset = 24;
const guidSuffix = Buffer.from('000000001000800000aa00389b71', 'hex');

function isPlainFormat(format: Buffer | undefined): boolean {
  if (!format || format.length < 16) return false;
  const tag = format.readUInt16LE();
  if (tag !== extensible) return plainFormats.has(tag);
  const guid = format.subarray(subFormatOffset, subFormatOffset + 16);
  return guid.length === 16 && guid.subarray(2).equals(guidSuffix) && plainFormats.has(guid.readUInt16LE());
}

/** The first format chunk, which the player uses. */
function readFormatChunk(bytes: Buffer): Buffer | undefined {
  for (let at = 12; at + 8 <= bytes.length;) {
    const size = bytes.readUInt32LE(at + 4);
    if (startsWith(bytes, 'fmt ', at)) return bytes.subarray(at + 8, at + 8 + size);
    at += 8 + size + (size % 2);
  }
  return undefined;
}

/** ISO/IEC 11172-3, 2.4.1.3: eleven sync bits and a layer. Without a layer it is AAC. */
function isMpegFrame(bytes: Buffer, at: number): boolean {
  const second = bytes[at + 1] ?? 0;
  return bytes[at] === 0xff && (second & 0xe0) === 0xe0 && (second & 0x06) !== 0;
}

/** ID3v2.4, section 3.1: four bytes of seven bits each, plus a 10-byte header and an optional 10-byte footer. */
function tagLength(bytes: Buffer): number {
  const [flags = 0, ...size] = bytes.subarray(5, 10);
  return 10 + size.reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0) + ((flags & 0x10) === 0 ? 0 : 10);
}

/** Prefers the common extension if a type has several. */
const types = new Mime(standardTypes, otherTypes).define({ 'audio/mpeg': ['mp3'], 'audio/ogg': ['ogg'] }, true);

/** Extensions that a system executes, opens as a page with scripts, installs, or follows as a link. */
const executableExtensions: ReadonlySet<string> = new Set(
  `ade adp apk apkg app appcache application appx bash bat bin cab cco chm class cmd com command cpl crx csh deb dll dmg
  docm dotm ear exe exec gadget hlp hta htm html inf ins iso ista jar jardiff jnlp job js jse jsx ksh lnk lua mde mht mhtml
  mjs mpkg msc msh msi msix msp mst ocx ops php pif pkg pl pm potm ppam ppsm pptm prg ps1 psm1 py pyc pyw rb reg rpm run
  scf scpt scr sct sh shb shs shtml sldm so svg svgz swf sys tcl tk url vb vbe vbs vsto war wasm webloc workflow ws wsc
  wsf wsh xap xbap xht xhtml xlam xlsb xlsm xltm xml xpi xps xsl xslt zsh desktop appimage`.split(/\s+/u),
);

/**
 * File extension for a binary result. The server chooses the type, so executable extensions are replaced: `.txt` is
 * appended for text, and everything else becomes `bin`.
 */
export function fileExtension(mimeType: string, bytes: Buffer): string {
  const picture = readPictureSize(bytes);
  if (picture) return picture.type.slice('image/'.length);
  const extension = types.getExtension(mimeType);
  if (extension === null || !/^[a-z0-9-]{1,20}$/u.test(extension)) return 'bin';
  if (!executableExtensions.has(extension)) return extension;
  return /^text\/|[+/](?:xml|json|yaml|javascript)$/u.test(withoutParameters(mimeType)) ? `${extension}.txt` : 'bin';
}

/** Without parameters (RFC 9110 section 8.3.1). */
function withoutParameters(mimeType: string): string {
  return (mimeType.split(';')[0] ?? '').trim().toLowerCase();
}
