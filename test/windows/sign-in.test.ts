import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo } from '../demo/start-demo.ts';
import type { Demo } from '../demo/start-demo.ts';
import { openBrowser, openPostern } from './postern.ts';
import { makeFolder } from './windows.ts';

describe('the command line on Windows', () => {
  const postern = openPostern();
  let demo: Demo;
  let browser: Awaited<ReturnType<typeof openBrowser>>;

  beforeAll(async () => {
    demo = await startDemo({ folder: makeFolder('demo'), mode: 'registration' });
    browser = await openBrowser();
    const connected = await postern.json(['connect', demo.url, '--local', '--name', 'Notes'], {
      env: { BROWSER: browser.command },
    });
    expect(connected).toMatchObject({ result: 'ok' });
  });

  afterAll(async () => {
    await postern.run(['remove', '--all', '--yes']);
    browser.close();
    await demo.close();
  });

  it('finds out how a server handles sign-in', async () => {
    expect(await postern.json(['discover', demo.url, '--local'])).toMatchObject({ result: 'ok' });
  });

  it('reads its sign-in from Credential Manager in a new process', async () => {
    const { accessToken } = await postern.json(['token', 'Notes']);
    expect(accessToken).toEqual(expect.stringMatching(/^.{20,}$/u));
  });

  it('calls a tool', async () => {
    const { content } = (await postern.json(['call', 'Notes', 'word_count', '{"text":"one two"}'])) as {
      content: [{ text: string }];
    };
    expect(content[0].text).toContain('2');
  });

  it('passes doctor', async () => {
    const { checks } = (await postern.json(['doctor'])) as { checks: readonly { name: string; ok: boolean }[] };
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  });
});
