import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeCommands } from '../../../../main/cli/output/output.ts';
import { commandName, findCheckout } from '../../../../main/engine/checkout.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'postern-checkout-'));
  for (const folder of ['bin', 'dist/cli']) mkdirSync(path.join(root, folder), { recursive: true });
  writeFileSync(path.join(root, 'bin/postern.js'), '');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('findCheckout', () => {
  it('tells the sources from what npm has installed', () => {
    const built = path.join(root, 'dist/cli');
    expect(findCheckout(built)).toBeUndefined();
    writeFileSync(path.join(root, 'package-lock.json'), '{}');
    expect(findCheckout(built)).toBe(root);
  });

  it('finds none where there is no launcher, as in a package', () => {
    rmSync(path.join(root, 'bin'), { recursive: true });
    expect(findCheckout(path.join(root, 'dist/cli'))).toBeUndefined();
  });
});

describe('commandName', () => {
  it.each([
    [undefined, '/home/me', 'postern'],
    ['/src/postern', '/src/postern', 'npx postern'],
    // npx would ask the registry there.
    ['/src/postern', '/src/postern/bin', 'node /src/postern/bin/postern.js'],
    ['/src/postern', undefined, 'node /src/postern/bin/postern.js'],
    ['/my src', '/home/me', 'node "/my src/bin/postern.js"'],
  ])('of the checkout %s in the folder %s is %s', (checkout, folder, name) => {
    expect(commandName(checkout, folder)).toBe(name);
  });

  it('is postern where the first one of the PATH leads to this checkout', () => {
    const [linked, other] = [path.join(root, 'linked'), path.join(root, 'other')];
    for (const folder of [linked, other]) mkdirSync(folder);
    symlinkSync(path.join(root, 'bin/postern.js'), path.join(linked, 'postern'));
    expect(commandName(root, root, [other, linked].join(path.delimiter))).toBe('postern');
    writeFileSync(path.join(other, 'postern'), '');
    expect(commandName(root, root, [other, linked].join(path.delimiter))).toBe('npx postern');
  });
});

it('is not postern for the time that npx runs it', () => {
  const bin = path.join(root, 'cache/node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(path.join(root, 'bin/postern.js'), path.join(bin, 'postern'));
  expect(commandName(root, root, bin)).toBe('npx postern');
});

describe('writeCommands', () => {
  it.each([
    ['See `postern list` for the ids.', 'See `npx postern list` for the ids.'],
    ['Say “postern connect URL”.', 'Say “npx postern connect URL”.'],
    ['postern unuse notes cursor; postern undo 1', 'npx postern unuse notes cursor; npx postern undo 1'],
    ['curl "$(postern token Notes)"', 'curl "$(npx postern token Notes)"'],
    // No command of ours.
    ['Start postern again, or /opt/postern list', 'Start postern again, or /opt/postern list'],
  ])('in %s', (sentence, written) => {
    expect(writeCommands('npx postern', sentence)).toBe(written);
  });
});
