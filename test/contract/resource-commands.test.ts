import { describe, expect, it } from 'vitest';
import { runInProcess } from '../support/command-in-process.ts';
import { startCapabilitiesServer } from '../support/capabilities-server.ts';
import { onTerminal } from '../support/on-terminal.ts';
import { posternCommand, startCommand } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDesktop } from '../support/test-desktop.ts';
import type { RawMessage } from '../support/raw-mcp-server.ts';
import { sendJson, startRawServer } from '../support/raw-mcp-server.ts';

/** A server's resources and prompts, on the command line. */

const hostile = 'Two\u001b[2J\u202enights';
const picture = Buffer.from('picture').toString('base64');
const results: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { resources: {}, prompts: {} },
    serverInfo: { name: 'offers', version: '1' },
  },
  'resources/list': {
    resources: [{ uri: 'trip://rome', name: 'rome', title: hostile, description: hostile, mimeType: 'text/plain' }],
  },
  'resources/templates/list': { resourceTemplates: [{ uriTemplate: 'trip://{city}', name: 'trip' }] },
  'prompts/list': {
    prompts: [{ name: 'plan', description: hostile, arguments: [{ name: 'city', required: true }, { name: 'days' }] }],
  },
  'resources/read': {
    contents: [
      { uri: 'trip://rome', text: hostile },
      { uri: 'trip://rome.png', blob: picture, mimeType: 'image/png' },
    ],
  },
};

async function connect(offers = results) {
  const requests: RawMessage['params'][] = [];
  const server = await startRawServer('session', [], (request) => {
    const { method, params } = request.message;
    if (method === 'resources/read' || method === 'prompts/get') requests.push(params);
    if (method === 'prompts/get') {
      sendJson(request, { result: { messages: [{ role: 'user', content: { type: 'text', text: hostile } }] } });
      return true;
    }
    const result = offers[method ?? ''];
    if (result) sendJson(request, { result });
    return result !== undefined;
  });
  const home = temporaryFolder();
  await runInProcess(['connect', server.url, '--local', '--name', 'x', '--json'], { home });
  const run = (...words: string[]) => runInProcess(words, { home });
  const runOnTerminal = (...words: string[]) => startCommand(onTerminal(...posternCommand(...words)), { home }).ended;
  return { url: server.url, run, runOnTerminal, requests };
}

describe("a server's resources and prompts", () => {
  it('EL-07 are listed and read as text that moves no cursor, and unchanged for programs', async () => {
    const { run, runOnTerminal, requests } = await connect();
    const listed = await run('resources', 'x');
    expect(listed.stdout).toContain('trip://rome');
    expect(listed.stdout).toContain('trip://{city}');
    const prompts = await run('prompts', 'x');
    expect(prompts.stdout).toContain('plan(city, days?)');
    const read = await runOnTerminal('read', 'x', 'trip://rome');
    expect(read.stdout).toContain('Two');
    expect(read.stdout).not.toContain(picture);
    const filled = await runOnTerminal('prompt', 'x', 'plan', 'city=Rome=Roma', 'days=2');
    expect(filled.stdout).toMatch(/user:\r?\nTwo/u);
    for (const { stdout, stderr } of [listed, prompts, read, filled]) {
      // Postern's own are those of the progress line.
      expect(`${stdout}${stderr}`).not.toMatch(/\u001b\[2J|\u202e/u);
    }
    expect(requests).toMatchObject([
      { uri: 'trip://rome' },
      { name: 'plan', arguments: { city: 'Rome=Roma', days: '2' } },
    ]);
    const whole = await run('read', 'x', 'trip://rome', '--json');
    expect(whole.last).toMatchObject({ contents: [{ text: hostile }, { blob: picture }] });
  });

  it('are described by a usage error before any request', async () => {
    const { run, requests } = await connect();
    expect(await run('prompt', 'x', 'plan', 'Rome')).toMatchObject({ code: 2 });
    expect(await run('read', 'x')).toMatchObject({ code: 2 });
    expect(requests).toEqual([]);
  });
});

describe('an address with braces', () => {
  const braces = {
    ...results,
    'resources/list': { resources: [{ uri: 'trip://{rome}', name: 'braces' }] },
  };

  it('is that of the listed resource, on the command line and in the window', async () => {
    const { url, run, requests } = await connect(braces);
    expect(await run('read', 'x', 'trip://{rome}')).toMatchObject({ code: 0 });
    const desktop = await createTestDesktop();
    const { id } = (await desktop.engine.connect(url)).integration;
    const read = { id, call: 'a', uri: 'trip://{rome}' };
    expect(await desktop.call('integration:readResource', read)).toMatchObject({ uri: 'trip://{rome}' });
    expect(await desktop.call('integration:readResource', { ...read, values: {} })).toMatchObject({
      uri: 'trip://{rome}',
    });
    expect(requests).toEqual(Array.from({ length: 3 }, () => ({ uri: 'trip://{rome}' })));
  });

  it('is a template if values fill it, or if no resource is listed by it', async () => {
    const { url, run, requests } = await connect(braces);
    expect(await run('read', 'x', 'trip://{rome}', 'rome=1')).toMatchObject({ code: 0 });
    expect(await run('read', 'x', 'trip://{city}')).toMatchObject({ code: 2 });
    const desktop = await createTestDesktop();
    const { id } = (await desktop.engine.connect(url)).integration;
    const read = { id, call: 'a', uri: 'trip://{city}' };
    expect(await desktop.callFailing('integration:readResource', { ...read, values: {} })).toMatchObject({
      code: 'IPC_SCHEMA',
    });
    await desktop.call('integration:readResource', { ...read, values: { city: 'Oslo' } });
    expect(requests).toEqual([{ uri: 'trip://1' }, { uri: 'trip://Oslo' }]);
  });
});

it('suggests the likely name, wherever a name is typed', async () => {
  const server = await startCapabilitiesServer();
  const home = temporaryFolder();
  const run = (...args: string[]) => runInProcess(args, { home });
  await run('connect', server.url, '--local', '--name', 'Offers');
  await run('tools', 'Offers');
  await run('collection', 'work', 'Offers');
  const tries = [
    [['tolls', 'Offers'], 'tools'],
    [['logim', 'Offers'], 'login'],
    [['list', '--jsn'], 'json'],
    [['tools', 'Offers', '--vualt', 'file'], 'vault'],
    [['connect', server.url, '--pkce', 'alwys'], 'always'],
    [['call', 'Offers', 'echo', '--log-level', 'warnign'], 'warning'],
    [['show', 'Offesr'], 'Offers'],
    [['show', 'offesr'], 'Offers'],
    [['use', '+wrok', 'cursor'], 'work'],
    [['collection', 'wrok'], 'work'],
    [['use', 'Offers', 'curzor'], 'cursor'],
    [['apps', 'Curser'], 'cursor'],
    [['unuse', '--all', 'curser'], 'cursor'],
    [['headers', 'curser'], 'cursor'],
    [['import', 'curser'], 'cursor'],
    [['activity', '--app', 'curser'], 'cursor'],
    [['call', 'Offers', 'ecoh'], 'echo'],
    [['call', 'Offers', 'ecoh', '--help'], 'echo'],
    [['permit', 'Offers', 'ecoh', 'deny'], 'echo'],
    [['permit', 'Offers', 'echo', 'dney'], 'deny'],
    [['prompt', 'Offers', 'plna', 'city=Rome'], 'plan'],
    [['read', 'Offers', 'notes://blub'], 'notes://blob'],
    [['settings', 'thmee'], 'theme'],
    [['settings', 'theme', 'drak'], 'dark'],
    [['completion', 'fisch'], 'fish'],
    [['with', server.url, '--local', '--', 'tolls'], 'tools'],
  ] as const;
  for (const [words, meant] of tries) {
    const { code, stderr } = await run(...words);
    expect(code, words.join(' ')).not.toBe(0);
    expect(stderr, words.join(' ')).toMatch(new RegExp(`Did you mean (?:“|--)${meant}`, 'iu'));
  }
});
