import { readFileSync } from 'node:fs';
import { notEmulated, strictObject } from './not-emulated.ts';

/** A picture that is kept, and shown nowhere. */
export interface StandInImage {
  isEmpty(): boolean;
  toPNG(): Buffer;
  toDataURL(): string;
  getSize(): { width: number; height: number };
  setTemplateImage(option: boolean): void;
  /** The picture for screens with so many pixels a point. */
  addRepresentation(options: { scaleFactor?: number; buffer?: Buffer }): void;
}

function createImage(first: Buffer): StandInImage {
  /** At one pixel a point; others are taken, and shown nowhere. */
  let png = first;
  return strictObject('nativeImage', {
    addRepresentation: ({ scaleFactor = 1, buffer }: { scaleFactor?: number; buffer?: Buffer }) => {
      if (!buffer) notEmulated('a representation that is no buffer');
      if (scaleFactor === 1) png = buffer;
    },
    isEmpty: () => png.length === 0,
    toPNG: () => png,
    toDataURL: () => `data:image/png;base64,${png.toString('base64')}`,
    // PNG's header holds both (PNG 11.2.2).
    getSize: () =>
      png.length < 24 ? { width: 0, height: 0 } : { width: png.readUInt32BE(16), height: png.readUInt32BE(20) },
    setTemplateImage: () => {},
  });
}

export const nativeImage = strictObject('nativeImage', {
  createEmpty: () => createImage(Buffer.alloc(0)),
  createFromPath: (path: string) => {
    try {
      return createImage(readFileSync(path));
    } catch {
      return createImage(Buffer.alloc(0));
    }
  },
  createFromBuffer: (buffer: Buffer) => createImage(buffer),
  createFromDataURL: (url: string) => createImage(Buffer.from(url.split(',')[1] ?? '', 'base64')),
});
