import {
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../../../main/host/open-profile.ts';
import { logFileBytes, logTextLength } from '../../../../main/limits.ts';
import type { Clock } from '../../../../main/ports.ts';

const clock: Clock = { now: () => Date.UTC(2026, 10, 20), monotonic: () => 0, after: () => () => {} };

let home: string;
let folder: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'postern-log-'));
  folder = join(home, 'logs');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const text = () => readFileSync(join(folder, 'postern.log'), 'utf8');
const lines = () =>
  text()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('createLog', () => {
  it('creates nothing before the first line', () => {
    createLog(folder, clock);
    expect(readdirSync(home)).toEqual([]);
  });

  it('writes one JSON object per line, readable by its owner only', () => {
    const log = createLog(folder, clock);
    log.write('exchange', { purpose: 'probe', status: 401, ok: false, host: undefined });
    log.write('end');
    expect(lines()).toEqual([
      {
        time: '2026-11-20T00:00:00.000Z',
        process: process.pid,
        event: 'exchange',
        purpose: 'probe',
        status: 401,
        ok: false,
      },
      { time: '2026-11-20T00:00:00.000Z', process: process.pid, event: 'end' },
    ]);
    expect(statSync(join(folder, 'postern.log')).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('writes no value of a field that is not allowlisted', () => {
    createLog(folder, clock).write('token', {
      access_token: 'canary',
      clientSecret: 'canary',
      authorization: 'canary',
    });
    expect(text()).not.toContain('canary');
    expect(lines()[0]).toMatchObject({ access_token: '[removed]' });
  });

  it('cuts query and fragment off a URL', () => {
    createLog(folder, clock).write('open', { url: 'https://as.example/authorize?state=canary&code=canary#canary' });
    expect(text()).not.toContain('canary');
    expect(lines()[0]).toMatchObject({ url: 'https://as.example/authorize' });
  });

  it('lets no value forge a line, color a terminal or fill the file', () => {
    createLog(folder, clock).write('a\nb', {
      host: 'x\n{"event":"forged"}\u001b[31m\u202e\u2028',
      note: 'y'.repeat(5_000),
    });
    expect(text().split('\n')).toHaveLength(2);
    expect(text().trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e\u2028]|\\u/);
    expect(lines()[0]?.['note']).toHaveLength(logTextLength);
  });

  it('starts a new file at its limit and keeps one older file', () => {
    const log = createLog(folder, clock);
    log.write('first');
    for (const _ of [1, 2]) {
      writeFileSync(join(folder, 'postern.log'), `${'x'.repeat(logFileBytes)}\n`);
      log.write('over');
    }
    log.write('fresh');
    expect(readdirSync(folder).toSorted()).toEqual(['postern.1.log', 'postern.log']);
    expect(lines()).toMatchObject([{ event: 'fresh' }]);
  });

  it('never throws, and follows no link', () => {
    const log = createLog(folder, clock);
    log.write('first');
    rmSync(join(folder, 'postern.log'));
    writeFileSync(join(home, 'victim'), '');
    symlinkSync(join(home, 'victim'), join(folder, 'postern.log'));
    expect(() => log.write('through')).not.toThrow();
    expect(readFileSync(join(home, 'victim'), 'utf8')).toBe('');
    expect(() => createLog(join(home, 'victim'), clock).write('no folder')).not.toThrow();
  });

  it('writes nothing into a file that has a second hard link', () => {
    const log = createLog(folder, clock);
    log.write('first');
    rmSync(join(folder, 'postern.log'));
    writeFileSync(join(home, 'victim'), '');
    linkSync(join(home, 'victim'), join(folder, 'postern.log'));
    expect(() => log.write('through')).not.toThrow();
    expect(readFileSync(join(home, 'victim'), 'utf8')).toBe('');
  });
});
