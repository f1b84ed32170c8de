import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { tracedSignInSchema, serverEventSchema } from '../../shared/trace.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { startPair } from '../support/demo-pair.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { sendJson, startRawServer } from '../support/raw-mcp-server.ts';

const historySchema = z.object({ events: z.array(serverEventSchema), signIns: z.array(tracedSignInSchema) });

/** A profile, the command line on it, and what the window will read about the one server in it. */
function openProfile() {
  const home = temporaryFolder();
  const folder = path.join(home, 'history');
  const file = (): string => readFileSync(path.join(folder, readdirSync(folder)[0] ?? ''), 'utf8');
  return {
    home,
    file,
    run: (...args: string[]) => runInProcess([...args, '--json'], { home }),
    history: () => historySchema.parse(JSON.parse(file())),
  };
}

type Profile = ReturnType<typeof openProfile>;
const kindsOf = (profile: Profile) => profile.history().events.map(({ kind }) => kind);
const purposesOf = (profile: Profile) =>
  profile.history().signIns.map(({ entries }) => new Set(entries.map(({ purpose }) => purpose)));

describe('the history of a server that the command line signs in to', () => {
  it('has the requests of the sign-in, without `--trace` too, and no secret of it', async () => {
    const { mcp } = await startPair();
    const profile = openProfile();
    const connected = await profile.run('connect', mcp.url, '--local', '--name', 'Notes');
    expect(connected.code).toBe(0);
    const [purposes, ...more] = purposesOf(profile);
    expect(more).toEqual([]);
    expect([...(purposes ?? [])]).toEqual(expect.arrayContaining(['registration', 'authorization', 'token']));
    const authorization = connected.lines.find((line) => line['event'] === 'authorization');
    const state = new URL(String(authorization?.['url'])).searchParams.get('state') ?? '';
    const { accessToken } = (await profile.run('token', 'Notes')).last;
    for (const secret of [state, String(accessToken)]) {
      expect(secret.length).toBeGreaterThan(15);
      expect(profile.file()).not.toContain(secret);
    }
  });

  it('records that a later one failed, why, and where it stopped', async () => {
    const refuse = { now: false };
    const { mcp } = await startPair({
      answer: (route, response) =>
        refuse.now && route === 'token' ? { status: 400, body: { error: 'invalid_grant' } } : response,
    });
    const profile = openProfile();
    await profile.run('connect', mcp.url, '--local', '--name', 'Notes');
    refuse.now = true;
    const failed = await profile.run('connect', mcp.url, '--local', '--name', 'Notes');
    const { code } = failed.last['error'] as { code: string };
    const { events, signIns } = profile.history();
    expect(events[0]).toMatchObject({ kind: 'signInFailed', code });
    expect(signIns).toHaveLength(2);
    expect(signIns[0]?.entries.filter(({ verdict }) => verdict === 'stopped')).toMatchObject([
      { purpose: 'token', code },
    ]);
  });

  it('has the sign-in of a switch, and why one failed', async () => {
    const refuse = { now: false };
    const { mcp } = await startPair({
      answer: (route, response) =>
        refuse.now && route === 'token' ? { status: 400, body: { error: 'invalid_grant' } } : response,
    });
    const profile = openProfile();
    await profile.run('connect', mcp.url, '--local', '--name', 'Notes');
    expect((await profile.run('switch', 'Notes')).code).toBe(0);
    const [switched, ...before] = purposesOf(profile);
    expect(before).toHaveLength(1);
    expect([...(switched ?? [])]).toEqual(expect.arrayContaining(['authorization', 'token']));
    refuse.now = true;
    const failed = await profile.run('switch', 'Notes', '--sign-in', 'browser');
    const { code } = failed.last['error'] as { code: string };
    expect(profile.history().events[0]).toMatchObject({ kind: 'signInFailed', code });
    expect(profile.history().signIns).toHaveLength(3);
  });

  it('has the sign-in that a use of the server began, and nothing else of that use', async () => {
    const rejected = new Set<string>();
    const renewals = { refused: false };
    const { mcp } = await startPair(
      {
        answer: (route, response, request) =>
          route === 'token' && renewals.refused && request?.body?.['grant_type'] === 'refresh_token'
            ? { status: 400, body: { error: 'invalid_grant' } }
            : response,
      },
      { reject: (token) => rejected.has(token) },
    );
    const profile = openProfile();
    await profile.run('connect', mcp.url, '--local', '--name', 'Notes');
    for (const { token } of mcp.requests) if (token !== undefined) rejected.add(token);
    renewals.refused = true;
    expect((await profile.run('call', 'Notes', 'whoami', '--sign-in', 'browser')).code).toBe(0);
    const { signIns } = profile.history();
    expect(signIns).toHaveLength(2);
    expect(signIns[0]?.entries.at(-1)).toMatchObject({ purpose: 'token', verdict: 'used' });
    // Signed in already: nothing about a sign-in.
    expect((await profile.run('call', 'Notes', 'whoami', '--sign-in', 'browser')).code).toBe(0);
    expect(profile.history().signIns).toEqual(signIns);
  });

  it('records why a sign-in failed that a use of the server began', async () => {
    const refuse = { now: false };
    const rejected = new Set<string>();
    const { mcp } = await startPair(
      {
        answer: (route, response) =>
          route === 'token' && refuse.now ? { status: 400, body: { error: 'invalid_grant' } } : response,
      },
      { reject: (token) => rejected.has(token) },
    );
    const profile = openProfile();
    await profile.run('connect', mcp.url, '--local', '--name', 'Notes');
    for (const { token } of mcp.requests) if (token !== undefined) rejected.add(token);
    refuse.now = true;
    const failed = await profile.run('call', 'Notes', 'whoami', '--sign-in', 'browser');
    const { code } = failed.last['error'] as { code: string };
    const { events, signIns } = profile.history();
    expect(events).toContainEqual(expect.objectContaining({ kind: 'signInFailed', code }));
    // Exactly once.
    expect(events.filter((event) => 'code' in event && event.code === code)).toHaveLength(1);
    expect(signIns[0]?.entries.at(-1)).toMatchObject({ purpose: 'token', verdict: 'stopped' });
  });

  it('does not store an attempt with --memory', async () => {
    const { mcp } = await startPair();
    const profile = openProfile();
    expect((await profile.run('connect', mcp.url, '--local', '--memory')).code).toBe(0);
    expect(readdirSync(profile.home)).not.toContain('history');
  });
});

describe('the history of a server that a command uses', () => {
  it('records that the server refused, by the code of the command, and not what worked', async () => {
    const rejected = { now: false };
    const { mcp } = await startPair({}, { reject: () => rejected.now });
    const profile = openProfile();
    await profile.run('connect', mcp.url, '--local', '--name', 'Notes');
    const before = profile.file();
    expect((await profile.run('call', 'Notes', 'whoami')).code).toBe(0);
    expect((await profile.run('tools', 'Notes')).code).toBe(0);
    expect(profile.file()).toBe(before);
    rejected.now = true;
    for (const words of [
      ['permit', 'Notes', '--review'],
      ['call', 'Notes', 'whoami'],
      ['tools', 'Notes'],
      ['resources', 'Notes'],
      ['prompts', 'Notes'],
    ]) {
      const { code } = (await profile.run(...words)).last['error'] as { code: string };
      expect(profile.history().events[0]).toMatchObject({ kind: 'problem', code });
    }
  });

  it('records what went wrong once, and not the search for suggestions', async () => {
    const methods: unknown[] = [];
    const server = await startRawServer(
      'session',
      [],
      (request) => {
        const { method } = request.message;
        methods.push(method);
        if (method === 'resources/read') sendJson(request, { error: { code: -32_002, message: 'no such resource' } });
        else if (method === 'resources/list') request.response.writeHead(500).end();
        else return false;
        return true;
      },
      { resources: {} },
    );
    const profile = openProfile();
    await profile.run('connect', server.url, '--local', '--name', 'Notes');
    const { code } = (await profile.run('read', 'Notes', 'notes://one')).last['error'] as { code: string };
    expect(methods.indexOf('resources/list')).toBeGreaterThan(methods.indexOf('resources/read'));
    expect(profile.history().events.filter(({ kind }) => kind === 'problem')).toMatchObject([{ code }]);
  });

  it('records that a refresh failed for a reason that its entry does not have', async () => {
    const { mcp } = await startPair();
    const profile = openProfile();
    await profile.run('connect', mcp.url, '--local', '--name', 'Notes');
    await profile.run('sign-out', 'Notes');
    const { code } = (await profile.run('refresh', 'Notes')).last['error'] as { code: string };
    expect(profile.history().events[0]).toMatchObject({ kind: 'problem', code });
  });
});

describe('the history of a server whose refresh fails', () => {
  it.each([
    ['for good', { status: 400, body: { error: 'invalid_grant' } }, ['accessLost', 'renewalFailed']],
    [
      'since the program is not known any more',
      { status: 401, body: { error: 'invalid_client' } },
      ['accessLost', 'renewalFailed'],
    ],
    ['by an unusable response', { status: 200, body: { token_type: 'bearer' } }, ['renewalFailed']],
  ] as const)('records it %s, and why', async (_how, refusal, expected) => {
    const refuse = { now: false };
    const { mcp } = await startPair({
      answer: (route, response) => (refuse.now && route === 'token' ? refusal : response),
    });
    const profile = openProfile();
    await profile.run('connect', mcp.url, '--local', '--name', 'Notes');
    refuse.now = true;
    const { code } = await profile.run('refresh', 'Notes');
    expect(code).not.toBe(0);
    expect(kindsOf(profile).slice(0, expected.length)).toEqual(expected);
    expect(profile.history().events.find(({ kind }) => kind === 'renewalFailed')).toHaveProperty('code');
  });
});
