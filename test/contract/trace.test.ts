import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TraceEntry } from '../../shared/trace.ts';
import { traceEntrySchema } from '../../shared/trace.ts';
import { startDemo } from '../demo/start-demo.ts';
import type { Demo } from '../demo/start-demo.ts';
import { freePort } from '../support/free-port.ts';
import { runPostern } from '../support/postern-process.ts';
import type { PosternResult } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let demo: Demo;
const folder = mkdtempSync(path.join(tmpdir(), 'postern-demo-'));
beforeAll(async () => {
  demo = await startDemo({ folder });
});
afterAll(async () => {
  await demo.close();
  rmSync(folder, { recursive: true });
});

function entriesOf({ lines }: PosternResult): readonly TraceEntry[] {
  return lines
    .filter((line) => line['event'] === 'request')
    .map(({ event: _event, ...entry }) => traceEntrySchema.parse(entry));
}

describe('--trace', () => {
  it('tells every request of a connection in order, and no secret of it', async () => {
    const home = temporaryFolder();
    const connected = await runPostern(['connect', demo.url, '--local', '--name', 'Demo', '--trace', '--json'], {
      home,
    });
    expect(connected.code).toBe(0);
    const entries = entriesOf(connected);
    expect(entries.map(({ number }) => number)).toEqual(entries.map((_, index) => index + 1));
    const purposes = entries.map(({ purpose }) => purpose);
    expect([...new Set(purposes)]).toEqual([
      'probe',
      'protected-resource-metadata',
      'authorization-server-metadata',
      'registration',
      'authorization',
      'token',
      'mcp',
    ]);
    expect(entries.filter(({ verdict }) => verdict === 'stopped')).toEqual([]);
    const authorization = connected.lines.find((line) => line['event'] === 'authorization');
    const state = new URL(String(authorization?.['url'])).searchParams.get('state') ?? '';
    const token = await runPostern(['token', 'Demo', '--json'], { home });
    for (const secret of [state, String(token.last['accessToken'])]) {
      expect(secret.length).toBeGreaterThan(15);
      expect(JSON.stringify(entries)).not.toContain(secret);
    }
  });

  it('tells a person where it stopped and what to do, on standard error alone', async () => {
    const url = demo.url.replace('/mcp', '/nowhere');
    const found = await runPostern(['connect', url, '--local', '--trace'], { home: temporaryFolder() });
    expect(found.code).toBe(1);
    expect(found.stdout).toBe('');
    expect(found.stderr).toMatch(/^ {2}1 {3}probe · 404 · \d+ ms$/mu);
    expect(found.stderr).toContain('stopped here (');
  });

  it('shows a discovery that stops as far as it came', async () => {
    const url = `http://127.0.0.1:${await freePort()}/mcp`;
    const found = await runPostern(['discover', url, '--local', '--trace', '--json'], {
      home: temporaryFolder(),
    });
    const { code } = found.last['error'] as { code: string };
    const entries = entriesOf(found);
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.filter(({ verdict }) => verdict === 'stopped')).toMatchObject([{ code }]);
  });
});
