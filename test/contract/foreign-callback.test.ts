import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDemo } from '../demo/start-demo.ts';
import type { Demo } from '../demo/start-demo.ts';
import { completeSignIn } from '../support/scripted-browser.ts';
import { startPostern } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'postern-demo-'));
let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ folder, mode: 'registration' });
});
afterAll(async () => {
  await demo.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A sign-in of the built command that waits for its callback. */
async function startSignIn() {
  const app = startPostern(['connect', demo.url, '--local', '--sign-in', 'print', '--json'], {
    home: temporaryFolder(),
  });
  const [line] = await app.waitFor(/^\{"event":"authorization".*$/mu);
  const { url, callbackUrl } = JSON.parse(line) as { url: string; callbackUrl: string };
  return { app, url, callbackUrl };
}

describe('a foreign callback', () => {
  it.each(['code=stolen&state=wrong', 'error=access_denied&state=wrong', 'code=stolen', 'code=stolen&state='])(
    'continues after a callback with another state: %s (RFC 9700 section 4.7)',
    async (query) => {
      const { app, url, callbackUrl } = await startSignIn();
      const response = await fetch(`${callbackUrl}?${query}`);
      expect(response.status).toBe(400);
      await completeSignIn(url);
      expect(await app.ended).toMatchObject({ code: 0, last: { result: 'ok' } });
    },
  );

  it('sends the code of another authorization server nowhere (RFC 9207 section 2.4)', async () => {
    const { app, url, callbackUrl } = await startSignIn();
    const state = new URL(url).searchParams.get('state') ?? '';
    const query = new URLSearchParams({ code: 'stolen', state, iss: 'https://evil.example' });
    await fetch(`${callbackUrl}?${query.toString()}`);
    expect(await app.ended).toMatchObject({
      code: 1,
      last: { result: 'error', error: { code: 'ISS_MISMATCH', stage: 'callback' } },
    });
  });
});
