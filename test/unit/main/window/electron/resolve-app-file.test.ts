import { fc, it as property } from '@fast-check/vitest';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveAppFile } from '../../../../../main/window/electron/resolve-app-file.ts';

const root = path.resolve('/app/renderer');

describe('resolveAppFile', () => {
  it.each([
    ['app://postern/', 'index.html'],
    ['app://postern/index.html', 'index.html'],
    ['app://postern/index.html?a=1#b', 'index.html'],
    ['app://postern/assets/a%20b.js', 'assets/a b.js'],
  ])('finds the file of %s', (address, file) => {
    expect(resolveAppFile(root, address)).toBe(path.join(root, file));
  });

  it.each([
    'app://postern/../secret',
    'app://postern/%2e%2e/%2e%2e/etc/passwd',
    'app://postern/..%2f..%2fetc/passwd',
    'app://postern/..%5c..%5cetc/passwd',
    'app://postern/assets/..%2f..%2f..%2fetc/passwd',
    'app://postern/%00',
    'app://postern/%ff',
  ])('finds nothing outside its folder for %s (IP-14)', (address) => {
    const file = resolveAppFile(root, address);
    expect(file === undefined || file.startsWith(`${root}${path.sep}`)).toBe(true);
  });

  it.each([
    'app://evil/index.html',
    'app://posternx/index.html',
    'app://postern.example/index.html',
    'file:///etc/passwd',
    'https://postern/index.html',
    'no address',
  ])('finds no file at another host or scheme: %s (IP-14)', (address) => {
    expect(resolveAppFile(root, address)).toBeUndefined();
  });

  property.prop([fc.string(), fc.boolean()])('never leaves its folder, whatever is requested', (text, encoded) => {
    const file = resolveAppFile(root, `app://postern/${encoded ? encodeURIComponent(text) : text}`);
    expect(file === undefined || file.startsWith(`${root}${path.sep}`)).toBe(true);
  });
});
