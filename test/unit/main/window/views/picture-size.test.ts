import { describe, expect, it } from 'vitest';
import { pictureBounds, readPictureSize } from '../../../../../main/window/views/media-header.ts';
import { aGif, aJpeg, aPng, aWebp } from '../../../../support/pictures.ts';

describe('readPictureSize', () => {
  it('detects four types by their bytes, with their size', () => {
    expect(readPictureSize(aPng(300, 20))).toEqual({ type: 'image/png', width: 300, height: 20 });
    expect(readPictureSize(aGif(300, 20))).toEqual({ type: 'image/gif', width: 300, height: 20 });
    expect(readPictureSize(aJpeg(300, 20))).toEqual({ type: 'image/jpeg', width: 300, height: 20 });
    for (const form of ['VP8 ', 'VP8L', 'VP8X'] as const)
      expect(readPictureSize(aWebp(form, 300, 20))).toEqual({ type: 'image/webp', width: 300, height: 20 });
  });

  it('IP-25 rejects a picture that decodes to more than is drawn', () => {
    const { side } = pictureBounds;
    for (const make of [aPng, aGif, aJpeg, (width: number, height: number) => aWebp('VP8X', width, height)]) {
      expect(readPictureSize(make(side, 2))).toBeDefined();
      expect(readPictureSize(make(side + 1, 1))).toBeUndefined();
      expect(readPictureSize(make(1, side + 1))).toBeUndefined();
      expect(readPictureSize(make(side, side))).toBeUndefined();
    }
    expect(readPictureSize(aPng(0, 5))).toBeUndefined();
  });

  it('IP-26 rejects a picture that is drawn larger than its header declares', () => {
    expect(readPictureSize(aGif(5, 5, [5, 4]))).toBeDefined();
    expect(readPictureSize(aGif(1, 1, [9_000, 1]))).toBeUndefined();
    expect(readPictureSize(aGif(1, 1, [1, 9_000]))).toBeUndefined();
    // Fill bytes, or a marker without a length: a decoder reads the frame after them, which we would skip.
    for (const before of ['FF', 'FFD0', 'FF01']) {
      const frame = Buffer.from(`${before}FFC00011`, 'hex');
      const [start, rest] = [Buffer.from('FFD8', 'hex'), Buffer.alloc(0xffff)];
      const bytes = Buffer.concat([start, frame, rest]);
      bytes.set(aJpeg(3, 3).subarray(8), 2 + 2 + bytes.readUInt16BE(4));
      expect(readPictureSize(bytes), before).toBeUndefined();
    }
  });

  it('rejects everything else, however it begins', () => {
    for (const whole of [aPng(3, 3), aGif(3, 3), aJpeg(3, 3), aWebp('VP8L', 3, 3)])
      for (let length = 0; length < 9; length += 1) expect(readPictureSize(whole.subarray(0, length))).toBeUndefined();
    for (const text of ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'GIF89', '\xFF\xD8\xFF', '\x89PNG\r\n\x1A\n'])
      expect(readPictureSize(Buffer.from(text, 'latin1'))).toBeUndefined();
    const endless = Buffer.concat([
      Buffer.from('FFD8', 'hex'),
      Buffer.alloc(2_000_000, Buffer.from('FFE00000', 'hex')),
    ]);
    expect(readPictureSize(endless)).toBeUndefined();
  });
});
