import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startDemo } from '../demo/start-demo.ts';
import type { Demo } from '../demo/start-demo.ts';
import { completeSignIn } from '../support/scripted-browser.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { startPostern } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestEngine } from '../support/test-engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'postern-demo-'));
let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ folder, mode: 'registration' });
});
afterAll(async () => {
  await demo.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A sign-in of the built command whose browser only records its arguments. */
async function startSignIn() {
  const home = temporaryFolder();
  const record = join(home, 'arguments');
  const browser = join(home, 'browser');
  writeFileSync(browser, `#!/bin/sh\nprintf '%s\\n' "$@" > '${record}.part' && mv '${record}.part' '${record}'\n`, {
    mode: 0o755,
  });
  const app = startPostern(['connect', demo.url, '--local', '--sign-in', 'browser', '--json'], {
    home,
    env: { BROWSER: browser },
  });
  const [line] = await app.waitFor(/^\{"event":"authorization".*$/mu);
  const { url } = JSON.parse(line) as { url: string };
  await vi.waitUntil(() => existsSync(record), { timeout: 120_000 });
  const words = readFileSync(record, 'utf8').trimEnd().split('\n');
  const [link = ''] = words;
  return { home, app, url, words, link };
}

const open = (url: string, options: RequestInit = {}): Promise<Response> =>
  fetch(url, { redirect: 'manual', ...options });

describe.skipIf(process.platform === 'win32')('the link that a browser is started with', () => {
  it('reveals nothing about the sign-in, and leads there', async () => {
    const { app, url, words, link } = await startSignIn();
    expect(words).toHaveLength(1);
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/go\/[\w-]{43}$/u);
    for (const value of new URL(url).searchParams.values()) expect(link).not.toContain(value);
    const end = await completeSignIn(link);
    expect(end.visited.slice(0, 2)).toEqual([link, url]);
    expect(await app.ended).toMatchObject({ code: 0, last: { result: 'ok' } });
  });

  it('ends the sign-in when opened a second time, and reports it on both sides', async () => {
    const { home, app, url, link } = await startSignIn();
    const first = await open(link);
    expect([first.status, first.headers.get('location')]).toEqual([302, url]);
    const second = await open(link);
    expect(second.status).toBe(410);
    expect(second.headers.get('location')).toBeNull();
    expect(await second.text()).toContain('opened twice');
    expect(await app.ended).toMatchObject({
      code: 1,
      last: { result: 'error', error: { code: 'LINK_REUSED', stage: 'authorization' } },
    });
    expect((await runInProcess(['list', '--json'], { home })).last).toMatchObject({ integrations: [] });
  });

  it('is not used up by a prefetch or a HEAD, nor by a guessed token', async () => {
    const { app, link } = await startSignIn();
    expect((await open(link, { method: 'HEAD' })).status).toBe(405);
    expect((await open(link, { headers: { 'sec-purpose': 'prefetch' } })).status).toBe(403);
    expect((await open(link.replace(/.{43}$/u, 'x'.repeat(43)))).status).toBe(400);
    await completeSignIn(link);
    expect(await app.ended).toMatchObject({ code: 0, last: { result: 'ok' } });
  });
});

describe('a one-time link', () => {
  it('ends the sign-in also when opened again after the callback, before the tokens arrive', async () => {
    let link = '';
    const engine = createTestEngine({
      user: async (pending) => {
        link = pending.browserUrl();
        await completeSignIn(link);
      },
    });
    const { http } = engine.ports;
    const again: number[] = [];
    Object.assign(engine.ports, {
      http: {
        ...http,
        async exchange(request: Parameters<typeof http.exchange>[0]) {
          if (request.purpose === 'token') again.push((await open(link)).status);
          return await http.exchange(request);
        },
      },
    });
    await expect(engine.connect(demo.url)).rejects.toMatchObject({ code: 'LINK_REUSED' });
    expect(again).toEqual([410]);
    expect(await engine.ports.store.list()).toEqual([]);
  });

  it('is new each time the browser is opened, and an earlier one still works', async () => {
    const engine = createTestEngine({
      user: async (pending) => {
        const links = [pending.browserUrl(), pending.browserUrl()];
        expect(new Set(links).size).toBe(2);
        const led = await Promise.all(links.map((link) => open(link)));
        expect(led.map(({ status, headers }) => [status, headers.get('location')])).toEqual([
          [302, pending.url],
          [302, pending.url],
        ]);
        await completeSignIn(pending.url);
      },
    });
    await engine.connect(demo.url);
  });
});
