import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultOptions } from '../../main/engine/engine-ports.ts';
import { startDemo } from '../demo/start-demo.ts';
import type { Demo } from '../demo/start-demo.ts';
import { anIntegration } from '../support/an-integration.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { startCommand } from '../support/postern-process.ts';
import type { PosternResult } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeList, writeProfile } from '../support/write-profile.ts';

/** The commands for the list of servers, as processes. */

let demo: Demo;
const folder = mkdtempSync(path.join(tmpdir(), 'postern-lists-'));

beforeAll(async () => {
  demo = await startDemo({ folder, mode: 'registration' });
});

afterAll(async () => {
  await demo.close();
  rmSync(folder, { recursive: true });
});

async function connectDemo() {
  const home = temporaryFolder();
  const run = (...args: string[]): Promise<PosternResult> => runInProcess([...args, '--json'], { home });
  const connected = await run('connect', demo.url, '--local', '--name', 'Demo');
  expect(connected.code).toBe(0);
  return { home, run, id: (connected.last['integration'] as { id: string }).id };
}

const errorOf = ({ last }: PosternResult) => last['error'] as Record<string, unknown> | undefined;

describe('postern list', () => {
  it('shows name, status, account and address, and ids only in --json', async () => {
    const { home, run, id } = await connectDemo();
    const { stdout } = await runInProcess(['list'], { home });
    const [head = '', row = ''] = stdout.trim().split('\n');
    expect(head.split(/\s{2,}/u)).toEqual(['NAME', 'STATUS', 'ACCOUNT', 'ADDRESS']);
    expect(row).toMatch(/^Demo +ready /u);
    expect(row).toContain(demo.url);
    expect(stdout).not.toContain(id);
    expect(stdout).not.toContain('OAuthWithDCR');
    expect((await run('list')).last).toMatchObject({ integrations: [{ id, method: 'OAuthWithDCR' }] });
  });

  it('has ids that other commands accept by prefix, and lists the candidates if several match', async () => {
    const home = temporaryFolder();
    writeProfile(home, 2);
    const run = (...args: string[]): Promise<PosternResult> => runInProcess([...args, '--json'], { home });
    const refused = await run('show', 'serv');
    expect(refused).toMatchObject({ code: 1 });
    expect(errorOf(refused)).toMatchObject({
      code: 'NOT_FOUND',
      candidates: [
        { id: 'server-1', name: 'Server 1' },
        { id: 'server-2', name: 'Server 2' },
      ],
      message: expect.stringContaining('Server 2'),
    });
    const { id } = await connectDemo();
    expect(id).toHaveLength(36);
  });

  it.each(['show', 'sign-out', 'tools'])('accepts an id prefix with %s', async (command) => {
    const { run, id } = await connectDemo();
    expect((await run(command, id.slice(0, 8))).code).toBe(0);
  });
});

describe('a name that begins with - or +', () => {
  it.each(['-x', '+x', '--local', '  -x'])('is rejected where it is typed: %s', async (name) => {
    const { home, run } = await connectDemo();
    for (const words of [
      ['connect', demo.url, '--local', `--name=${name}`],
      ['rename', '--', 'Demo', name],
      ['local', 'add', '--', name, process.execPath],
    ]) {
      const refused = await runInProcess(words, { home });
      expect(refused.code, words.join(' ')).toBe(2);
      expect(refused.stderr).toMatch(/cannot start with/u);
    }
    expect((await run('list')).last).toMatchObject({ integrations: [{ name: 'Demo' }] });
  });

  it('loses that in an import, so that it can be typed in every command', async () => {
    const home = temporaryFolder();
    const run = (...args: string[]): Promise<PosternResult> => runInProcess([...args, '--json'], { home });
    const file = path.join(temporaryFolder(), 'list.json');
    writeFileSync(
      file,
      JSON.stringify({
        mcpServers: { '--json': { command: process.execPath }, '+x': { command: process.execPath, args: ['x'] } },
      }),
    );
    await run('import', file);
    expect((await run('list')).last).toMatchObject({ integrations: [{ name: 'json' }, { name: 'x' }] });
  });

  it('from an earlier version is accepted after --, and by its alias', async () => {
    const home = temporaryFolder();
    writeList(home, [
      anIntegration({ id: 'one', name: '-x', alias: 'x' }),
      anIntegration({ id: 'two', name: '+y', alias: 'y', url: 'https://two.example/mcp' }),
    ]);
    const run = (...args: string[]): Promise<PosternResult> => runInProcess(args, { home });
    for (const words of [
      ['show', '--json', '--', '-x'],
      ['show', '--json', 'x'],
      ['show', '--json', '+y'],
      ['rename', '--json', '--', '-x', 'X'],
      ['rename', '--json', '+y', 'Y'],
    ])
      expect((await run(...words)).code, words.join(' ')).toBe(0);
    const shown = await run('show', '-z');
    expect(shown).toMatchObject({ code: 2, stderr: expect.stringContaining('--') });
  });
});

describe('postern check', () => {
  it('checks every server, reports each result, and returns the first failure', async () => {
    const { home, run, id } = await connectDemo();
    expect(await run('check')).toMatchObject({ code: 0, last: { integrations: [{ id, tools: expect.any(Number) }] } });
    await run('connect', demo.url, '--local', '--name', 'Other');
    await run('sign-out', 'Demo');
    const checked = await run('check');
    expect(checked.code).toBe(3);
    expect(errorOf(checked)).toMatchObject({ code: 'SIGN_IN_REQUIRED' });
    expect(checked.last['integrations']).toMatchObject([
      { name: 'Demo', error: { code: 'SIGN_IN_REQUIRED', nextStep: expect.stringContaining('Demo') } },
      { name: 'Other', tools: expect.any(Number) },
    ]);
    const { stdout } = await runInProcess(['check', 'Other'], { home });
    expect(stdout).toMatch(/^“Other” works, with \d+ tools\.$/mu);
  });

  it('checks nothing if one of the names is unknown', async () => {
    const { run } = await connectDemo();
    expect(errorOf(await run('check', 'Demo', 'Nobody'))).toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('postern rename', () => {
  it('changes the name, rejects one that is taken in another case, and keeps the alias', async () => {
    const { run, id } = await connectDemo();
    const [before] = (await run('ls')).last['integrations'] as { alias: string }[];
    expect(await run('rename', 'demo', 'Team notes')).toMatchObject({
      code: 0,
      last: { earlierName: 'Demo', integration: { id, name: 'Team notes', alias: before?.alias } },
    });
    await run('connect', demo.url, '--local', '--name', 'Other');
    const refused = await run('rename', 'Other', 'TEAM NOTES');
    expect(refused.code).toBe(1);
    expect(errorOf(refused)).toMatchObject({ code: 'NAME_TAKEN' });
    expect((await run('rename', 'Other', 'other')).last).toMatchObject({ integration: { name: 'other' } });
  });

  it('suggests the likely name', async () => {
    const { run } = await connectDemo();
    expect(errorOf(await run('show', 'dmeo'))).toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('“Demo”'),
    });
  });
});

describe('postern refresh --all', () => {
  it('continues after one that fails, and reports that with the rest', async () => {
    const home = temporaryFolder();
    const run = (...args: string[]): Promise<PosternResult> => runInProcess([...args, '--json'], { home });
    const closedDemo = await startDemo({ folder: temporaryFolder(), mode: 'registration' });
    await run('connect', closedDemo.url, '--local', '--name', 'Gone');
    await run('connect', demo.url, '--local', '--name', 'Demo');
    await closedDemo.close();
    const renewed = await run('refresh', '--all');
    expect(renewed.code).toBe(1);
    expect(renewed.last['integrations']).toMatchObject([
      { name: 'Gone', error: { code: errorOf(renewed)?.['code'] } },
      { name: 'Demo', status: 'ready' },
    ]);
    expect((renewed.last['integrations'] as object[])[1]).not.toHaveProperty('error');
  });

  it('refreshes each, and skips those that are signed out', async () => {
    const { run, id } = await connectDemo();
    const renewed = await run('refresh', '--all');
    expect(renewed).toMatchObject({ code: 0, last: { integrations: [{ id, status: 'ready' }] } });
    await run('connect', demo.url, '--local', '--name', 'Second');
    await run('sign-out', 'Demo');
    const results = await run('refresh', '--all');
    expect(results.code).toBe(0);
    expect(results.last['integrations']).toMatchObject([{ name: 'Second' }]);
  });
});

describe('postern switch', () => {
  it('asks for a new login and keeps the entry', async () => {
    const { run, id } = await connectDemo();
    const before = (await run('token', 'Demo')).last['accessToken'];
    const switched = await run('switch', 'Demo', '--sign-in', 'browser');
    expect(switched).toMatchObject({ code: 0, last: { integration: { id, name: 'Demo', status: 'ready' } } });
    expect((await run('token', 'Demo')).last['accessToken']).not.toBe(before);
  });
});

describe('postern export and import', () => {
  it('take the list to another profile, without a sign-in', async () => {
    const { run } = await connectDemo();
    const exported = await run('export');
    const stdout = JSON.stringify(exported.last['list']);
    const token = String((await run('token', 'Demo')).last['accessToken']);
    expect(stdout).not.toContain(token);
    const other = temporaryFolder();
    const file = path.join(folder, 'servers.json');
    writeFileSync(file, stdout);
    const imported = await runInProcess(['import', file, '--json'], { home: other });
    expect(imported).toMatchObject({ code: 0, last: { added: [expect.any(String)], skipped: 0, refused: 0 } });
    expect((await runInProcess(['list', '--json'], { home: other })).last).toMatchObject({
      integrations: [{ name: 'Demo', url: demo.url, status: 'not signed in' }],
    });
    expect((await runInProcess(['import', file, '--json'], { home: other })).last).toMatchObject({ skipped: 1 });
  });
  it('read on standard input and in a file what export prints, and list the same names, scopes and headers', async () => {
    const home = temporaryFolder();
    const listed = (id: string, name: string, options: object) =>
      anIntegration({
        id,
        name,
        alias: id,
        url: `https://${id}.example/mcp`,
        method: 'OAuth',
        state: 'signedOut',
        options: { ...defaultOptions, ...options },
      });
    writeList(home, [
      listed('mail', 'My “mail” é', { scope: 'read write', pkce: 'required', callbackHost: 'localhost' }),
      listed('keyed', '$HOME `x`', { headerName: 'X-API-Key', furtherHeaders: ['X-Team'] }),
      listed('other', 'Company', { clientAuthentication: 'client_secret_post', pushRequests: true }),
      listed('third', 'Third', { authorizationServer: 'https://login.example', signInSurface: 'browser' }),
      listed('sso', 'Sign-in', { isIdentityProvider: true }),
    ]);
    expect((await runInProcess(['collection', 'all', 'mail', 'third', '--json'], { home })).code).toBe(0);
    const exported = (await runInProcess(['export'], { home })).stdout;
    const forms = {
      'as it is': [exported, []],
      'as JSON': [(await runInProcess(['export', '--json'], { home })).stdout, ['--json']],
      'as Windows writes it': [`\uFEFF${exported.replaceAll('\n', '\r\n')}`, []],
      'of the list alone': [JSON.stringify(JSON.parse(exported)), []],
    } as const;
    for (const [form, [text, options]] of Object.entries(forms)) {
      const file = path.join(temporaryFolder(), 'servers.json');
      writeFileSync(file, text);
      for (const [word, stdin] of [
        ['-', text],
        [file, ''],
      ] as const) {
        const other = temporaryFolder();
        const imported = await runInProcess(['import', word, ...options], { home: other, stdin });
        expect(imported, form).toMatchObject({ code: 0 });
        expect((await runInProcess(['export'], { home: other })).stdout, form).toBe(exported);
        if (options.length > 0) expect(imported.last).toMatchObject({ skipped: 0, leftOut: 0 });
      }
    }
    const shell = ['bash', '-c', 'postern export | POSTERN_HOME="$OTHER" postern import - --json'];
    const piped = await startCommand(shell, { home, env: { OTHER: temporaryFolder() } }).ended;
    expect(piped).toMatchObject({ code: 0, stdout: expect.stringContaining('"collections":["all"]') });
    expect(await runInProcess(['import', '-', '--local'], { home, stdin: exported })).toMatchObject({ code: 2 });
  });
  it('count the choices of a list that the importing user must make', async () => {
    const home = temporaryFolder();
    const options = { ...defaultOptions, local: true, grant: 'client-credentials', sendResource: false } as const;
    writeList(home, [anIntegration({ id: 'job', name: 'Job', alias: 'job', url: 'https://job.example/mcp', options })]);
    const { stdout } = await runInProcess(['export'], { home });
    const imported = await runInProcess(['import', '-', '--json'], { home: temporaryFolder(), stdin: stdout });
    expect(imported.last).toMatchObject({ added: [expect.any(String)], leftOut: 3 });
  });
  it('take what can be read, and exit 1 with each entry and member that cannot', async () => {
    const { run } = await connectDemo();
    const list = (await run('export')).last['list'] as { integrations: object[] };
    const [good] = list.integrations;
    list.integrations.push({ ...good, name: 'Odd', options: 7 }, 7 as unknown as object);
    const file = path.join(temporaryFolder(), 'servers.json');
    writeFileSync(file, JSON.stringify(list));
    const home = temporaryFolder();
    const imported = await runInProcess(['import', file, '--json'], { home });
    expect(imported).toMatchObject({
      code: 1,
      last: {
        result: 'error',
        added: [expect.any(String)],
        refused: 2,
        unreadable: [{ index: 1, name: 'Odd', member: 'options' }, { index: 2 }],
        error: { code: 'LIST_UNREADABLE' },
      },
    });
    const importedList = await runInProcess(['import', file], { home: temporaryFolder() });
    expect(importedList).toMatchObject({ code: 1, stderr: expect.stringMatching(/“Odd”.*“options”/u) });
  });
});
