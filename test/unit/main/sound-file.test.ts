import { describe, expect, it } from 'vitest';
import { isSoundFile } from '../../../main/sound-file.ts';

const tag = (size: number, flags = 0): Buffer =>
  Buffer.concat([Buffer.from('ID3'), Buffer.from([4, 0, flags, 0, 0, size >> 7, size & 0x7f]), Buffer.alloc(size)]);
const frame = Buffer.from('FFFB9064', 'hex');

describe('isSoundFile', () => {
  it('takes WAV and MPEG audio, also behind a tag', () => {
    expect(isSoundFile(Buffer.from('RIFF....WAVE'))).toBe(true);
    expect(isSoundFile(frame)).toBe(true);
    expect(isSoundFile(Buffer.concat([tag(300), frame]))).toBe(true);
    expect(isSoundFile(Buffer.concat([tag(20, 0x10), Buffer.alloc(10), frame]))).toBe(true);
  });

  it('IP-26 takes nothing else, also behind a tag', () => {
    for (const bytes of [Buffer.from('fLaC'), Buffer.from('OggS'), Buffer.from('FFF15080', 'hex'), Buffer.alloc(0)]) {
      expect(isSoundFile(bytes)).toBe(false);
      expect(isSoundFile(Buffer.concat([tag(0), bytes]))).toBe(false);
      expect(isSoundFile(Buffer.concat([tag(300), bytes]))).toBe(false);
    }
    expect(isSoundFile(Buffer.from('RIFF....WEBP'))).toBe(false);
    expect(isSoundFile(tag(0).subarray(0, 6))).toBe(false);
  });
});
