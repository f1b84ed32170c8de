import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { icoSizes, packIcns, packIco } from '../../../scripts/icon-containers.ts';

const assets = join(import.meta.dirname, '../../../assets');
const read = (file: string): Buffer => readFileSync(join(assets, file));

/** Width and height are at fixed offsets in a PNG's first chunk. */
function sizeOfPng(file: Buffer): string {
  if (file.toString('latin1', 1, 4) !== 'PNG') return 'no PNG';
  return `${file.readUInt32BE(16)}x${file.readUInt32BE(20)}`;
}

function readIcns(file: Buffer): [string, string][] {
  expect(file.toString('latin1', 0, 4)).toBe('icns');
  expect(file.readUInt32BE(4)).toBe(file.length);
  const entries: [string, string][] = [];
  for (let at = 8; at < file.length; at += file.readUInt32BE(at + 4))
    entries.push([file.toString('latin1', at, at + 4), sizeOfPng(file.subarray(at + 8))]);
  return entries;
}

function readIco(file: Buffer): string[] {
  expect([file.readUInt16LE(0), file.readUInt16LE(2)]).toEqual([0, 1]);
  return Array.from({ length: file.readUInt16LE(4) }, (_, index) => {
    const entry = 6 + 16 * index;
    const side = file.readUInt8(entry) || 256;
    const offset = file.readUInt32LE(entry + 12);
    const image = file.subarray(offset, offset + file.readUInt32LE(entry + 8));
    expect(sizeOfPng(image)).toBe(`${side}x${side}`);
    return `${side}x${side}`;
  });
}

describe('the icons', () => {
  it('were rendered from the current drawing (else: npx node scripts/write-icons.ts)', () => {
    const hash = createHash('sha256').update(read('icon.svg')).digest('hex');
    expect(read('icon.drawn-from.txt').toString().trim()).toBe(hash);
  });

  it('have the sizes in their names', () => {
    const files = readdirSync(join(assets, 'icons'));
    expect(files.map((file) => `${sizeOfPng(read(`icons/${file}`))}.png`)).toEqual(files);
    expect(files).toContain('512x512.png');
  });

  it('contain every size that macOS and Windows ask for', () => {
    expect(readIcns(read('icon.icns'))).toEqual([
      ['icp4', '16x16'],
      ['ic11', '32x32'],
      ['icp5', '32x32'],
      ['ic12', '64x64'],
      ['ic07', '128x128'],
      ['ic13', '256x256'],
      ['ic08', '256x256'],
      ['ic14', '512x512'],
      ['ic09', '512x512'],
      ['ic10', '1024x1024'],
    ]);
    expect(readIco(read('icon.ico'))).toEqual(icoSizes.map((size) => `${size}x${size}`));
  });

  it('are rejected if a size is missing', () => {
    expect(() => packIco(new Map())).toThrow('no image of 16 pixels');
    expect(() => packIcns(new Map())).toThrow('no image of 16 pixels');
  });
});
