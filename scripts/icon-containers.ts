type Images = ReadonlyMap<number, Buffer>;

/** icns entry types that hold PNG, with the image size in pixels (`@2x` types are named by points). */
const icnsTypes: readonly (readonly [type: string, size: number])[] = [
  ['icp4', 16],
  ['ic11', 32],
  ['icp5', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic14', 512],
  ['ic09', 512],
  ['ic10', 1024],
];

/** Sizes that Windows asks for, each stored as PNG (read since Vista). */
export const icoSizes = [16, 24, 32, 48, 64, 128, 256] as const;

/** A macOS icon file: `icns`, the total length, then entries of type, length and PNG. */
export function packIcns(images: Images): Buffer {
  const entries = icnsTypes.map(([type, size]) => {
    const image = imageOf(images, size);
    return Buffer.concat([Buffer.from(type, 'latin1'), bigEndian(image.length + 8), image]);
  });
  const body = Buffer.concat(entries);
  return Buffer.concat([Buffer.from('icns', 'latin1'), bigEndian(body.length + 8), body]);
}

/** A Windows icon file: a directory with 16 bytes per image, then the images. */
export function packIco(images: Images): Buffer {
  const files = icoSizes.map((size) => imageOf(images, size));
  const head = Buffer.alloc(6 + 16 * files.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(files.length, 4);
  let offset = head.length;
  for (const [index, file] of files.entries()) {
    const entry = 6 + 16 * index;
    const side = (icoSizes[index] ?? 0) % 256; // 0 means 256
    head.writeUInt8(side, entry);
    head.writeUInt8(side, entry + 1);
    head.writeUInt16LE(1, entry + 4); // planes
    head.writeUInt16LE(32, entry + 6); // bits per pixel
    head.writeUInt32LE(file.length, entry + 8);
    head.writeUInt32LE(offset, entry + 12);
    offset += file.length;
  }
  return Buffer.concat([head, ...files]);
}

function imageOf(images: Images, size: number): Buffer {
  const image = images.get(size);
  if (!image) throw new Error(`There is no image of ${size} pixels`);
  return image;
}

function bigEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
