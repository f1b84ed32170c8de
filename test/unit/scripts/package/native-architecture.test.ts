import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readNativeTarget } from '../../../../scripts/package/native-architecture.ts';

/** Just enough of a file for its header: numbers at their offsets. */
function header(...fields: readonly [offset: number, bytes: readonly number[]][]): Buffer {
  const file = Buffer.alloc(256);
  for (const [offset, bytes] of fields) file.set(bytes, offset);
  return file;
}

it.each([
  ['ELF for x64', header([0, [0x7f, 0x45, 0x4c, 0x46]], [18, [0x3e, 0]]), 'linux', ['x64']],
  ['ELF for arm64', header([0, [0x7f, 0x45, 0x4c, 0x46]], [18, [0xb7, 0]]), 'linux', ['arm64']],
  ['ELF for something else', header([0, [0x7f, 0x45, 0x4c, 0x46]], [18, [0x28, 0]]), 'linux', ['other']],
  ['Mach-O for arm64', header([0, [0xcf, 0xfa, 0xed, 0xfe, 0x0c, 0, 0, 1]]), 'darwin', ['arm64']],
  [
    'Mach-O for both',
    header([0, [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 2, 1, 0, 0, 7]], [28, [1, 0, 0, 0x0c]]),
    'darwin',
    ['x64', 'arm64'],
  ],
  ['PE for x64', header([0, [0x4d, 0x5a]], [0x3c, [0x80]], [0x80, [0x50, 0x45, 0, 0, 0x64, 0x86]]), 'win32', ['x64']],
  [
    'PE for arm64',
    header([0, [0x4d, 0x5a]], [0x3c, [0x80]], [0x80, [0x50, 0x45, 0, 0, 0x64, 0xaa]]),
    'win32',
    ['arm64'],
  ],
])('reads the target of a native module: %s', (_name, file, platform, architectures) => {
  expect(readNativeTarget(file)).toEqual({ platform, architectures });
});

it('reads the target of the running executable, and none from a text file', () => {
  expect(readNativeTarget(readFileSync(process.execPath))).toEqual({
    platform: process.platform,
    architectures: [process.arch],
  });
  expect(readNativeTarget(Buffer.from('#!/bin/sh\nexit 0\n'.repeat(10)))).toBeUndefined();
  expect(readNativeTarget(Buffer.from('MZ'.padEnd(80, ' ')))).toBeUndefined();
});
