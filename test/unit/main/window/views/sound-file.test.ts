import { describe, expect, it } from 'vitest';
import { isSoundFile } from '../../../../../main/window/views/media-header.ts';
import { chunk, format, wave } from '../../../../support/sounds.ts';

const tag = (size: number, flags = 0): Buffer =>
  Buffer.concat([Buffer.from('ID3'), Buffer.from([4, 0, flags, 0, 0, size >> 7, size & 0x7f]), Buffer.alloc(size)]);
const frame = Buffer.from('FFFB9064', 'hex');

const extensible = (code: number, guid = '000000001000800000aa00389b71'): Buffer =>
  format(0xfffe, Buffer.concat([Buffer.alloc(22), Buffer.from([code, 0]), Buffer.from(guid, 'hex')]));

describe('isSoundFile', () => {
  it('accepts WAV and MPEG audio, also after a tag', () => {
    for (const code of [1, 3, 6, 7, 0x55]) expect(isSoundFile(wave(format(code)))).toBe(true);
    expect(isSoundFile(wave(chunk('bext', Buffer.alloc(7)), extensible(1)))).toBe(true);
    expect(isSoundFile(frame)).toBe(true);
    expect(isSoundFile(Buffer.concat([tag(300), frame]))).toBe(true);
    expect(isSoundFile(Buffer.concat([tag(20, 0x10), Buffer.alloc(10), frame]))).toBe(true);
  });

  it('IP-26 rejects everything else, also after a tag', () => {
    for (const bytes of [Buffer.from('fLaC'), Buffer.from('OggS'), Buffer.from('FFF15080', 'hex'), Buffer.alloc(0)]) {
      expect(isSoundFile(bytes)).toBe(false);
      expect(isSoundFile(Buffer.concat([tag(0), bytes]))).toBe(false);
      expect(isSoundFile(Buffer.concat([tag(300), bytes]))).toBe(false);
    }
    // ADPCM, GSM, FLAC, Vorbis: a WAV may contain them all.
    for (const code of [0, 2, 0x11, 0x31, 0xf1ac, 0x674f]) expect(isSoundFile(wave(format(code)))).toBe(false);
    for (const other of [extensible(2), extensible(1, 'ff'.repeat(14)), extensible(1, ''), format(0xfffe)])
      expect(isSoundFile(wave(other))).toBe(false);
    expect(isSoundFile(wave(format(0x11), format(1)))).toBe(false);
    expect(isSoundFile(wave(chunk('data', Buffer.alloc(4))))).toBe(false);
    expect(isSoundFile(wave(chunk('fmt ', Buffer.from([1, 0]))))).toBe(false);
    expect(isSoundFile(Buffer.from('RIFF....WAVE'))).toBe(false);
    expect(isSoundFile(Buffer.from('RIFF....WEBP'))).toBe(false);
    expect(isSoundFile(tag(0).subarray(0, 6))).toBe(false);
  });
});
