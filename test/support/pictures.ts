import { deflateSync, crc32 } from 'node:zlib';

/** Image files that claim a size; only the PNG can be drawn. */

export function aPng(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0], 8);
  // An image that only claims to be large has no rows.
  const isSmall = width * height < 100_000;
  const rows = deflateSync(Buffer.alloc(isSmall ? (width + 1) * height : 1, 0));
  const chunks = [chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504E470D0A1A0A', 'hex'), ...chunks]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), whole.length - 4);
  return whole;
}

/** With colors, a comment and a frame, by default as large as the screen. */
export function aGif(width: number, height: number, frame: readonly [number, number] = [width, height]): Buffer {
  const colors = Buffer.alloc(6);
  const bytes = Buffer.concat([
    Buffer.from('474946383961 0000 0000 80 00 00'.replaceAll(' ', ''), 'hex'),
    colors,
    Buffer.from('21FE024142002C00000000000000000002024401003B', 'hex'),
  ]);
  bytes.writeUInt16LE(width, 6);
  bytes.writeUInt16LE(height, 8);
  bytes.writeUInt16LE(frame[0], 30);
  bytes.writeUInt16LE(frame[1], 32);
  return bytes;
}

/** With an extra segment before the frame. */
export function aJpeg(width: number, height: number): Buffer {
  const bytes = Buffer.from('FFD8FFE000040000FFC000110800000000030111', 'hex');
  bytes.writeUInt16BE(height, 13);
  bytes.writeUInt16BE(width, 15);
  return bytes;
}

export function aWebp(form: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): Buffer {
  const bytes = Buffer.alloc(40);
  bytes.write(`RIFF\0\0\0\0WEBP${form}`, 'latin1');
  if (form === 'VP8 ') {
    bytes.writeUInt16LE(width, 26);
    bytes.writeUInt16LE(height, 28);
  } else if (form === 'VP8L') bytes.writeUInt32LE((width - 1) | ((height - 1) << 14), 21);
  else {
    bytes.writeUIntLE(Math.max(0, width - 1), 24, 3);
    bytes.writeUIntLE(height - 1, 27, 3);
  }
  return bytes;
}
