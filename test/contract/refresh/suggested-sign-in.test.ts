import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runInProcess } from '../../support/command-in-process.ts';
import { startPostern } from '../../support/postern-process.ts';
import type { PosternResult } from '../../support/postern-process.ts';
import { startRotatingServer } from '../../support/rotating-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** What the token endpoint does with a refresh instead of granting it. */
type Trouble = (response: ServerResponse) => void;

const refuse =
  (status: number, body?: object): Trouble =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body && JSON.stringify(body));
  };
const cut: Trouble = (response) => void response.destroy();

async function connected() {
  const world: {
    trouble: Trouble | undefined;
    forgotten: string;
    refusal?: Record<string, string>;
    /** Only the token endpoint has forgotten it, and reports it like this. */
    unknownAtToken?: { readonly client: string; readonly trouble: Trouble };
  } = { trouble: undefined, forgotten: '' };
  const counts = { registrations: 0, pages: 0 };
  const server = await startRotatingServer({
    beforeToken: ({ form, response }) => {
      const { unknownAtToken: unknown } = world;
      if (unknown && form.get('grant_type') === 'authorization_code' && form.get('client_id') === unknown.client) {
        unknown.trouble(response);
        return true;
      }
      if (form.get('grant_type') !== 'refresh_token' || !world.trouble) return false;
      world.trouble(response);
      return true;
    },
    isForgotten: (client) => {
      counts.pages += 1;
      return client === world.forgotten && (world.refusal ?? true);
    },
  });
  onTestFinished(() => server.close());
  const home = temporaryFolder();
  const run = (...args: string[]): Promise<PosternResult> => runInProcess([...args, '--json'], { home });
  expect((await run('connect', server.url, '--local', '--name', 'Notes')).code).toBe(0);
  return { world, server, home, run, counts };
}

const codeOf = ({ code, last }: PosternResult) => ({ exit: code, code: (last['error'] as { code?: string })?.code });

describe('a refresh that fails while a user is there', () => {
  it.each([
    ['400 invalid_request', refuse(400, { error: 'invalid_request', error_description: 'refresh token is invalid' })],
    ['an empty 400', refuse(400)],
    ['500', refuse(500)],
    ['a connection that is closed', cut],
    ['an answer without sense', refuse(200, { access_token: 7 })],
  ] satisfies [string, Trouble][])(
    'with %s is followed by a sign-in, and nothing is lost before it is done',
    async (_, trouble) => {
      const { world, run, counts } = await connected();
      world.trouble = trouble;
      const alone = await run('refresh', 'Notes');
      expect(alone.code).not.toBe(0);
      expect(counts.pages).toBe(1);
      // The sign-in was denied or not finished, so the previous tokens are used.
      expect((await run('tools', 'Notes')).code).toBe(0);
      expect(await run('refresh', 'Notes', '--sign-in', 'browser')).toMatchObject({ code: 0 });
      expect(counts.pages).toBe(2);
      expect((await run('tools', 'Notes')).code).toBe(0);
      world.trouble = undefined;
      expect((await run('refresh', 'Notes')).code).toBe(0);
    },
  );

  it('and probably means the end is reported with exit 3 and the command that signs in', async () => {
    const { world, run, home } = await connected();
    expect((await run('refresh', 'Notes')).code).toBe(0);
    world.trouble = refuse(400, { error: 'invalid_request', error_description: 'refresh token is invalid' });
    const refused = await run('refresh', 'Notes');
    expect(codeOf(refused)).toEqual({ exit: 3, code: 'REFRESH_REFUSED' });
    expect(refused.last['error']).toMatchObject({
      retryable: false,
      oauthError: 'invalid_request',
      nextStep: expect.stringContaining('postern refresh Notes --sign-in browser'),
    });
    world.trouble = refuse(400);
    const unnamed = (await run('refresh', 'Notes')).last['error'] as Record<string, unknown>;
    expect(unnamed).toMatchObject({ code: 'REFRESH_REFUSED' });
    expect(unnamed).not.toHaveProperty('oauthError');
    expect((await run('tools', 'Notes')).code).toBe(0);
    expect((await runInProcess(['show', 'Notes'], { home })).stdout).toMatch(
      /Refresh .*you probably need to sign in again/u,
    );
    expect((await run('list')).last).toMatchObject({ integrations: [{ state: 'integrated' }] });
  });
});

describe('a registered client that its service has dropped', () => {
  it.each(['SIGINT', 'SIGKILL'] as const)(
    'is registered again, and that is reported, once a sign-in with it brought no callback and was ended with %s',
    async (signal) => {
      const { world, server, home, run } = await connected();
      const [client = ''] = server.clients.values();
      world.forgotten = client;
      world.trouble = refuse(400, { error: 'invalid_grant' });
      const dead = startPostern(['refresh', 'Notes', '--sign-in', 'browser', '--json'], { home });
      await dead.waitFor(/"authorization"/u);
      dead.kill(signal);
      await dead.ended;
      const again = await run('refresh', 'Notes', '--sign-in', 'browser');
      expect(again).toMatchObject({ code: 0 });
      expect(again.lines).toContainEqual({ event: 'note', note: 'registered-again' });
      expect((await run('tools', 'Notes')).code).toBe(0);
      expect(new Set(server.clients.values()).size).toBe(2);
      // The new one is used again, and nothing is reported.
      world.trouble = refuse(400, { error: 'invalid_grant' });
      const third = await run('refresh', 'Notes', '--sign-in', 'browser');
      expect(third).toMatchObject({ code: 0 });
      expect(third.lines).not.toContainEqual({ event: 'note', note: 'registered-again' });
      expect(new Set(server.clients.values()).size).toBe(2);
    },
  );

  it.each([
    { error: 'invalid_request' },
    { error: 'invalid_request', error_description: 'Client client-1 does not exist' },
    { error: 'client_not_found' },
    { error: 'server_error' },
    { error: 'temporarily_unavailable' },
    { error: 'invalid_scope' },
  ])('is registered again, and that is reported, once its page has redirected back with %j', async (refusal) => {
    const { world, server, run } = await connected();
    Object.assign(world, { forgotten: [...server.clients.values()][0], refusal });
    world.trouble = refuse(400, { error: 'invalid_grant' });
    expect(codeOf(await run('refresh', 'Notes', '--sign-in', 'browser'))).toMatchObject({ code: 'AS_ERROR' });
    const again = await run('refresh', 'Notes', '--sign-in', 'browser');
    expect(again).toMatchObject({ code: 0 });
    expect(again.lines).toContainEqual({ event: 'note', note: 'registered-again' });
    expect((await run('tools', 'Notes')).code).toBe(0);
  });

  it.each([
    ['500', refuse(500, { error: 'server_error' })],
    ['400 invalid_grant', refuse(400, { error: 'invalid_grant' })],
    ['404 without a word of OAuth', refuse(404, { message: 'client not found' })],
    ['a connection that is closed', cut],
  ] satisfies [string, Trouble][])(
    'is registered again, also for another server, once it could not exchange a code: %s',
    async (_, trouble) => {
      const { world, server, run } = await connected();
      const [client = ''] = server.clients.values();
      world.unknownAtToken = { client, trouble };
      world.trouble = refuse(400, { error: 'invalid_grant' });
      expect((await run('refresh', 'Notes', '--sign-in', 'browser')).code).not.toBe(0);
      expect(await run('connect', server.url, '--local', '--name', 'Other')).toMatchObject({ code: 0 });
      expect(await run('refresh', 'Notes', '--sign-in', 'browser')).toMatchObject({ code: 0 });
      expect(new Set(server.clients.values()).size).toBe(2);
    },
  );

  it('is registered again by connect too, after a sign-in that timed out', async () => {
    const { world, server, run } = await connected();
    const [client = ''] = server.clients.values();
    world.forgotten = client;
    const first = await run('connect', server.url, '--local', '--name', 'Notes', '--timeout', '2');
    expect(first.code).not.toBe(0);
    const again = await run('connect', server.url, '--local', '--name', 'Notes');
    expect(again).toMatchObject({ code: 0 });
    expect(again.lines).toContainEqual({ event: 'note', note: 'registered-again' });
  });
});
