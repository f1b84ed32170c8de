import { notEmulated, strictObject } from './not-emulated.ts';

/** An image that is stored but never shown. */
export interface StandInImage {
  isEmpty(): boolean;
  toPNG(): Buffer;
  toDataURL(): string;
  getSize(): { width: number; height: number };
  setTemplateImage(option: boolean): void;
  /** The image for this scale factor. */
  addRepresentation(options: { scaleFactor?: number; buffer?: Buffer }): void;
}

function createImage(first: Buffer): StandInImage {
  /** At scale factor 1; others are accepted but not shown. */
  let png = first;
  return strictObject('nativeImage', {
    addRepresentation: ({ scaleFactor = 1, buffer }: { scaleFactor?: number; buffer?: Buffer }) => {
      if (!buffer) notEmulated('a representation that is no buffer');
      if (scaleFactor === 1) png = buffer;
    },
    isEmpty: () => png.length === 0,
    toPNG: () => png,
    toDataURL: () => `data:image/png;base64,${png.toString('base64')}`,
    // The PNG header contains both (PNG 11.2.2).
    getSize: () =>
      png.length < 24 ? { width: 0, height: 0 } : { width: png.readUInt32BE(16), height: png.readUInt32BE(20) },
    setTemplateImage: () => {},
  });
}

export const nativeImage = strictObject('nativeImage', {
  createEmpty: () => createImage(Buffer.alloc(0)),
});
