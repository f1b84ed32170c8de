import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** `npm start -- --approve` after its preparations: the built command line, a real keychain, the demo servers. */
// Each runs several commands one after the other, servers included: minutes on a busy machine.
describe('start', () => {
  let folder = '';
  beforeAll(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'start-'))));
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const start = (...words: string[]) => startAny('--approve', ...words);

  function startAny(...words: string[]): Promise<{ code: number; output: string }> {
    const env = {
      ...process.env,
      POSTERN_HOME: path.join(folder, 'profile'),
      POSTERN_DEMO_HOME: path.join(folder, 'demo'),
      TZ: 'Asia/Tokyo',
    };
    return new Promise((resolve) => {
      execFile(process.execPath, ['scripts/start.ts', ...words], { env }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), output: `${stdout}\n${stderr}` });
      });
    });
  }

  it('goes from the URL to a called tool, keeps the connection, and replaces a stale one', async () => {
    const first = await start('--mcp-port', '0', '--auth-port', '0');
    expect(first).toMatchObject({ code: 0, output: expect.stringContaining('You are Demo User.') });
    expect(first.output).toContain('GMT+9');
    // What the app received, next to what the command line showed.
    expect(first.output.match(/You are Demo User/gu)?.length).toBeGreaterThan(1);

    const [, mcpPort = '', authPort = ''] = /:(\d+)\/mcp\n.*:(\d+)\n/.exec(first.output) ?? [];
    const again = await start('--mcp-port', mcpPort, '--auth-port', authPort);
    expect(again).toMatchObject({ code: 0, output: expect.stringContaining('You are Demo User.') });
    expect(again.output).not.toContain('postern connect');

    const elsewhere = await start('--mcp-port', '0', '--auth-port', '0');
    expect(elsewhere).toMatchObject({ code: 0, output: expect.stringContaining('postern connect') });
  });

  it.each([
    ['--typed', 'You are Demo User.'],
    ['--no-auth', 'You are a guest'],
  ])('shows the workflow with %s', async (mode, words) => {
    const shown = await start(mode, '--mcp-port', '0', '--auth-port', '0');
    expect(shown).toMatchObject({ code: 0, output: expect.stringContaining(words) });
  });

  it('shows the window, and with --smoke exits once it can be used', async () => {
    const shown = await startAny('--smoke', '--mcp-port', '0', '--auth-port', '0');
    expect(shown).toMatchObject({ code: 0, output: expect.stringContaining('The window was ready to use.') });
    expect(shown.output).toMatch(/server has (?:ended|stopped)\./u);
  });

  it.each([[['--smoke']], [['--typo']], [['--sign-in', 'popup']], [['--typed', '--no-auth']], [['--mcp-port', 'x']]])(
    'rejects %j, and names it',
    async (words) => {
      const refused = await start(...words);
      expect(refused).toMatchObject({ code: 2, output: expect.stringContaining(words[0] ?? '') });
    },
  );
});
