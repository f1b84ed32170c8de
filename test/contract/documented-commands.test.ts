import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { expect, it } from 'vitest';
import type { App } from '../../main/apps/table/app.ts';
import { apps } from '../../main/apps/table/apps.ts';
import { commandAt } from '../../main/cli/options/command-spec.ts';
import { commandTable } from '../../main/cli/table/command-table.ts';
import { startDemo } from '../demo/start-demo.ts';
import { makeAppHome, putClaude } from '../support/app-home.ts';
import { picture } from '../support/capabilities-server.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { startPair, startResource } from '../support/demo-pair.ts';
import { commandEnvironment, startCommand } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const documents = ['README.md', ...['apps', 'each-app', 'install', 'settings', 'troubleshooting', 'cli'].map(inDocs)];

function inDocs(name: string): string {
  return `docs/${name}.md`;
}

/** Shown commands that need what a test cannot have, with the tests that run them with a counterpart. */
const exempt: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^systemctl |^LoadCredential=|^POSTERN_KEY_FILE=|^0 7 /u, 'lines for systemd and cron; unattended-vault.test.ts'],
  [/--sign-in print/u, 'a user opens the printed link; command-line.test.ts'],
  [/--client-key-stdin/u, 'a service that accepts a signed assertion; client-keys.test.ts'],
  [/--assertion-file/u, 'a service that accepts an assertion; client-grant.test.ts'],
  [/--as-provider|--identity-provider/u, "a company's identity provider; enterprise-grant.test.ts"],
  [/^postern undo \w/u, 'the ID of a change; apps/use.test.ts'],
  [/npx -y|uvx/u, 'downloads a server; local-command.test.ts'],
  [/--follow/u, 'waits for something to happen; activity-command.test.ts, follow-resource.test.ts'],
  [/completion (?:zsh|fish)/u, 'that shell; completion.test.ts'],
  [/^postern (?:headers|proxy) /u, 'AI apps run it; pipe/'],
];

/** Commands in the code blocks of a document, without usage lines and comments. */
function shownIn(file: string): readonly string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const blocks = [...text.matchAll(/^ *```\w*\n([\s\S]*?)^ *```$/gmu)].flatMap(([, block = '']) => block.split('\n'));
  const lines = blocks.map((line) => line.trim().replace(/\s+#.*$/u, ''));
  return lines.filter((line) => /\bpostern\b/u.test(line) && !line.endsWith('[options]'));
}

/** What the documents' server has. */
function createServer(): McpServer {
  const server = new McpServer({ name: 'notes', version: '1' });
  const done = { content: [{ type: 'text' as const, text: 'Done.' }] };
  const note = z.object({ text: z.string(), pinned: z.boolean().optional() });
  server.registerTool('add_note', { inputSchema: note }, () => done);
  server.registerTool('search', { inputSchema: z.object({ query: z.string() }) }, () => done);
  for (const name of ['list_notes', 'delete_note', 'export_all']) server.registerTool(name, {}, () => done);
  const image = { type: 'image' as const, mimeType: 'image/png', data: picture.toString('base64') };
  server.registerTool('draw', {}, () => ({ content: [image] }));
  for (const name of ['today', 'photo']) {
    server.registerResource(name, `notes://${name}`, {}, ({ href }) => ({ contents: [{ uri: href, text: name }] }));
  }
  server.registerResource('day', new ResourceTemplate('notes://{day}', { list: undefined }), {}, ({ href }) => ({
    contents: [{ uri: href, text: 'A day' }],
  }));
  server.registerPrompt('summarize', { argsSchema: z.object({ day: z.string() }) }, ({ day }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Summarize ${day}` } }],
  }));
  return server;
}

/** What must have happened before a command, besides the three connections. */
const before: readonly (readonly [pattern: RegExp, ...lines: string[]])[] = [
  [/unuse Notes cursor|unuse --all cursor|undo|--app cursor/u, 'postern use Notes cursor --yes'],
  [/unuse Notes zed/u, 'postern use Notes zed --yes'],
  [/unuse \+work/u, 'postern use +work cursor --yes'],
  [/import cursor/u, 'cp mcp.json .cursor/mcp.json'],
];

/** Leaves what Postern finds an app by on Linux. */
function install({ files, installedIf = [], format }: App, home: string): void {
  const inHome = (template: string): string =>
    path.join(
      home,
      template
        .replace(/\{\w+\|([^}]*)\}/u, '$1')
        .replace('~/', '')
        .replace('*', '1'),
    );
  for (const folder of installedIf.filter((each) => path.extname(each) === ''))
    mkdirSync(inHome(folder), { recursive: true });
  for (const { path: file, usedIf } of files.linux ?? []) {
    mkdirSync(path.dirname(inHome(file)), { recursive: true });
    if (usedIf === 'file') writeFileSync(inHome(file), format.startsWith('json') ? '{}' : '');
  }
}

/** A computer as the reader's: their servers, their AI apps, and the files that the examples name. */
async function openWorld() {
  const callback = 'http://127.0.0.1/integration/oauth/callback';
  const { mcp } = await startPair(
    { rotateRefreshTokens: false, typedClients: [{ id: 'abc', secret: 's3cret', redirectUris: [callback] }] },
    { createServer },
  );
  const open = await startResource(undefined, { createServer });
  const user = makeAppHome([]);
  const { home, profile, put } = user;
  const { PATH: searchPath } = commandEnvironment({ home: profile });
  const env = { ...user.env, PATH: [putClaude(user).folder, searchPath].join(path.delimiter) };
  for (const app of apps) install(app, home);
  put('.claude.json', '{}');
  put('mcp.json', JSON.stringify({ mcpServers: { notes: { url: open.url } } }));
  put('note.txt', 'Buy milk');
  put('note.json', '{"text":"Buy milk"}');
  put('secret.txt', 's3cret\n');
  put('key.txt', 'a-key\n');
  put('company.pem', readFileSync(path.join(root, 'test/support/certificates/authority.pem')));
  chmodSync(put('sync.sh', '#!/bin/sh\ntest -n "$POSTERN_TOKEN"\n'), 0o755);
  const options = (profileFolder = profile) => ({ home: profileFolder, env, cwd: home, stdin: '' });
  const start = (line: string, profileFolder?: string) => startCommand(['bash', '-c', line], options(profileFolder));
  /** Its end. Only lines for the shell, and those that run until Ctrl-C or pass on streams, need their own process. */
  const end = async (line: string, profileFolder?: string) => {
    if (!/^postern (?!watch|serve|exec|with)[^|<>;&$`]*$/u.test(line)) return await start(line, profileFolder).ended;
    const { stdout } = await startCommand(['bash', '-c', `printf '%s\\0' ${line}`], options()).ended;
    return await runInProcess(stdout.split('\0').slice(1, -1), options(profileFolder));
  };
  const script = path.join(root, 'test/support/stdio-server.ts');
  for (const line of [
    `postern connect ${mcp.url} --local --name Notes`,
    `postern connect ${open.url} --local --name Tickets`,
    `postern connect ${open.url.replace('127.0.0.1', 'localhost')} --local --name Example`,
    `postern local add Files --yes -- '${process.execPath}' '${script}'`,
    'postern collection work Notes Tickets',
  ]) {
    const { code, stderr } = await end(line);
    if (code !== 0) throw new Error(`${line}: ${stderr}`);
  }
  const saved = temporaryFolder();
  const copies = [home, profile].map((folder, index) => [folder, path.join(saved, String(index))] as const);
  for (const [folder, copy] of copies) cpSync(folder, copy, { recursive: true });
  /** As it was before the first command. */
  const restore = (): void => {
    for (const [folder, copy] of copies) {
      for (const name of readdirSync(folder)) rmSync(path.join(folder, name), { recursive: true });
      cpSync(copy, folder, { recursive: true });
    }
  };
  return { url: mcp.url, openUrl: open.url, start, end, restore };
}

type World = Awaited<ReturnType<typeof openWorld>>;

/** The line with our server's address, confirmed in advance where a terminal would ask. */
function runnable(line: string, url: string): string {
  const addressed = line.replaceAll(/https?:\/\/(?:mcp\.example\.com|localhost:3000)\/mcp/gu, url);
  const [, words = ''] = /^postern ([^<>|]*)/u.exec(addressed) ?? [];
  const command = commandAt(commandTable, words.split(' '));
  if (command === undefined) return addressed;
  const accepted: readonly string[] = commandTable.specs[command].options;
  const isWanted: Readonly<Record<string, boolean>> = { local: words.includes(url), yes: true };
  const added = Object.entries(isWanted)
    .filter(([option, wanted]) => wanted && accepted.includes(option) && !words.includes(`--${option}`))
    .map(([option]) => ` --${option}`);
  const [own = '', ...rest] = words.split(' -- ');
  return addressed.replace(words, `${[own.trimEnd() + added.join(''), ...rest].join(' -- ')} `);
}

/** Runs until its end, or until its first line and Ctrl-C; returns why it failed. */
async function run(line: string, { url, openUrl, start, end, restore }: World): Promise<string[]> {
  restore();
  for (const [pattern, ...lines] of before) if (pattern.test(line)) for (const each of lines) await end(each);
  // Each of them is a reader's first connection.
  const address = line.includes('--header ') ? openUrl : url;
  const words = runnable(line, address);
  if (!/^postern (?:watch|serve)\b/u.test(line)) {
    const { code, stderr } = await end(words, line.startsWith('postern connect ') ? temporaryFolder() : undefined);
    return code === 0 ? [] : [`${line}: ${code} ${stderr}`];
  }
  const command = start(words);
  await command.waitFor(/\S/u);
  command.kill('SIGINT');
  const { code, stderr } = await command.ended;
  return code === 130 || code === 0 ? [] : [`${line}: ${code} ${stderr}`];
}

it('every command that the documents show runs', async () => {
  const world = await openWorld();
  const lines = [...new Set(documents.flatMap(shownIn))].filter((line) => !exempt.some(([each]) => each.test(line)));
  // What ends sign-ins at the service comes last: nothing restores them.
  const rank = (line: string): number =>
    ['sign-out', 'remove N', 'remove --all'].findIndex((end) => line.includes(end));
  const failed: string[] = [];
  for (const line of lines.toSorted((one, other) => rank(one) - rank(other))) failed.push(...(await run(line, world)));
  expect(failed).toEqual([]);
});

/** docs/recipes.sh unchanged, line by line, against the demo server. */
it('every recipe of docs/recipes.sh works', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'postern-recipes-'));
  const demo = await startDemo({ folder, mode: 'registration' });
  const home = temporaryFolder();
  const results = temporaryFolder();
  mkdirSync(path.join(results, 'unattended'), { mode: 0o700 });
  const script = path.join(root, 'docs/recipes.sh');
  const ran = await startCommand(['bash', script], { home, env: { SERVER: demo.url, DIR: results }, stdin: '' }).ended;
  await demo.close();
  rmSync(folder, { recursive: true });
  expect(ran.stderr).not.toMatch(/^Error/mu);
  expect(ran.code).toBe(0);
  const read = (name: string): string => readFileSync(path.join(results, name), 'utf8').trim();
  expect(read('servers.tsv')).toBe(`Notes\tready\t${demo.url}`);
  expect(read('waiting.txt')).toBe('');
  expect(read('tools.txt').split('\n')).toContain('word_count');
  expect(read('words.txt').match(/\d+(?= words)/gu)).toEqual(['2', '3', '4', '2']);
  expect(read('json.txt')).toContain('2');
  expect(read('typo.txt')).toContain('text');
  expect(read('header.txt')).toBe('1');
  expect(read('failed.txt')).toBe('');
  expect(read('vault.txt')).toBe('file');
});
