import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runInProcess } from '../support/command-in-process.ts';
import { bytes, oddNumbers, oddText, picture, startCapabilitiesServer } from '../support/capabilities-server.ts';
import { onTerminal } from '../support/on-terminal.ts';
import { posternCommand, runPostern, startCommand } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A server's result as scripts get it: bytes, exit codes, arguments, files. The server is one of the official SDK. */

async function connectServer() {
  const server = await startCapabilitiesServer();
  const home = temporaryFolder();
  const run = (...args: string[]) => runInProcess(args, { home });
  expect(await run('connect', server.url, '--local', '--name', 'Offer')).toMatchObject({ code: 0, stderr: '' });
  return { server, home, run };
}

/** Standard output as bytes. */
async function bytesOf(home: string, ...args: string[]): Promise<Buffer> {
  const [node = '', ...rest] = posternCommand(...args);
  const { stdout } = await promisify(execFile)(node, rest, {
    encoding: 'buffer',
    env: { ...process.env, POSTERN_HOME: home },
  });
  return stdout;
}

describe('a result in a pipe', () => {
  it('is what the server sent, byte for byte, and standard error is silent', async () => {
    const { home, run } = await connectServer();
    expect(await runPostern(['call', 'Offer', 'odd'], { home })).toMatchObject({
      code: 0,
      stdout: oddText,
      stderr: '',
    });
    expect(await bytesOf(home, 'call', 'Offer', 'draw')).toEqual(picture);
    expect(await bytesOf(home, 'read', 'Offer', 'notes://blob')).toEqual(bytes);
    expect((await run('prompt', 'Offer', 'plan', 'city=Rome')).stdout).toContain('Plan\tRome');
  });

  it('is made printable on a terminal, with its numbers and without base64', async () => {
    const { home } = await connectServer();
    const shown = async (...args: string[]) =>
      (await startCommand(onTerminal(...posternCommand(...args)), { home }).ended).stdout;
    const odd = await shown('call', 'Offer', 'odd');
    expect(odd).toContain('12345678901234567890');
    expect(odd).not.toMatch(/\u001b\[31m|\u202e/u);
    const drawn = await shown('call', 'Offer', 'draw');
    expect(drawn).toContain('--output');
    expect(drawn).not.toContain(picture.toString('base64').slice(0, 20));
  });

  it('keeps every digit of numbers, in a pipe, with --json and on a terminal', async () => {
    const { home, run } = await connectServer();
    const data = `{"ids":[${oddNumbers.join(',')}]}`;
    expect((await run('call', 'Offer', 'numbers')).stdout).toBe(data);
    expect((await run('call', 'Offer', 'numbers', '--json')).stdout).toContain(`"structuredContent":${data}`);
    const shown = await startCommand(onTerminal(...posternCommand('call', 'Offer', 'numbers')), { home }).ended;
    for (const digits of oddNumbers) expect(shown.stdout).toContain(digits);
    const file = path.join(home, 'numbers.json');
    await run('call', 'Offer', 'numbers', '--output', file);
    expect(readFileSync(file, 'utf8')).toBe(data);
  });

  it('exits with 1 if the tool reports an error, whose text goes only to standard error', async () => {
    const { run } = await connectServer();
    const failed = await run('call', 'Offer', 'fail');
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toContain('It broke    here.');
    expect(await run('call', 'Offer', 'fail', '--allow-tool-error')).toMatchObject({
      code: 0,
      stdout: 'It broke\there.',
    });
    expect(await run('call', 'Offer', 'nothing')).toMatchObject({ code: 1, stdout: '' });
    expect((await run('call', 'Offer', 'fail', '--json')).last).toMatchObject({
      result: 'error',
      isError: true,
      error: { code: 'TOOL_FAILED' },
    });
  });

  it('goes into a file, or each block of it into one of a folder, and overwrites nothing', async () => {
    const { home, run } = await connectServer();
    const file = path.join(home, 'a.png');
    expect(await run('call', 'Offer', 'draw', '--output', file)).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(readFileSync(file)).toEqual(picture);
    const folder = path.join(home, 'album');
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'album-1.txt'), 'mine');
    expect(await run('call', 'Offer', 'album', '--output', folder)).toMatchObject({ code: 0, stdout: '' });
    expect(readdirSync(folder).toSorted()).toEqual(['album-1.png', 'album-1.txt', 'album-2.png', 'album-2.txt']);
    expect(readFileSync(path.join(folder, 'album-1.txt'), 'utf8')).toBe('mine');
    const { last } = await run('call', 'Offer', 'draw', '--output', file, '--json');
    expect(last).toMatchObject({ content: [{ type: 'image', file }], files: [{ path: file, size: picture.length }] });
    expect(JSON.stringify(last)).not.toContain(picture.toString('base64').slice(0, 20));
    const odd = path.join(home, 'odd.txt');
    await run('call', 'Offer', 'odd', '--output', odd);
    expect(readFileSync(odd, 'utf8')).toBe(oddText);
  });

  it.each([
    ['resource', ['read', 'Offer', 'notes://blob'], bytes, 'contents'],
    ['prompt', ['prompt', 'Offer', 'sketch'], picture, 'messages'],
  ] as const)('of a %s goes into a file too, which --json names in place of it', async (_, words, saved, member) => {
    const { home, run } = await connectServer();
    const file = path.join(home, 'saved');
    const result = await run(...words, '--output', file);
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(file)).toEqual(saved);
    const folder = path.join(home, 'folder/');
    const { last } = await run(...words, '--output', folder, '--json');
    const written = readdirSync(folder).map((name) => path.join(folder, name));
    const named = written.find((one) => readFileSync(one).equals(saved));
    expect(last['files']).toContainEqual(expect.objectContaining({ path: named, size: saved.length }));
    expect(JSON.stringify(last[member])).toContain(JSON.stringify(named));
    expect(JSON.stringify(last)).not.toContain(saved.toString('base64').slice(0, 20));
  });

  it('is not requested if --output cannot be written', async () => {
    const { server, home, run } = await connectServer();
    const place = path.join(home, 'no', 'such', 'file');
    expect((await run('call', 'Offer', 'echo', 'text=a', '--output', place)).code).toBe(2);
    expect(server.echoed).toEqual([]);
  });
});

describe('arguments', () => {
  it('are words, files, standard input or one JSON object', async () => {
    const { server, home, run } = await connectServer();
    const file = path.join(home, 'note.txt');
    writeFileSync(file, 'a = b\n');
    const stdin = (text: string, ...args: string[]) =>
      runInProcess(['call', 'Offer', 'echo', ...args], { home, stdin: text });
    await run('call', 'Offer', 'echo', 'text=a=b', 'count:=2', 'deep:={"a":[1]}');
    await run('call', 'Offer', 'echo', `text=@${file}`);
    await stdin('from stdin', 'text=@-');
    await stdin('{"text":"all"}', '-');
    await run('call', 'Offer', 'echo', '{"text":"json"}');
    expect(server.echoed).toEqual([
      { text: 'a=b', count: 2, deep: { a: [1] } },
      { text: 'a = b\n' },
      { text: 'from stdin' },
      { text: 'all' },
      { text: 'json' },
    ]);
  });

  it('keep every digit of numbers', async () => {
    const { server, run } = await connectServer();
    const numbers = `[${oddNumbers.join(',')}]`;
    await run('call', 'Offer', 'echo', 'text=a', `deep:={"a":${numbers}}`);
    await run('call', 'Offer', 'echo', `{"text":"a","deep":{"a":${numbers}}}`);
    expect(server.calls).toHaveLength(2);
    for (const call of server.calls) expect(call).toContain(`"deep":{"a":${numbers}}`);
  });

  it.each([
    ['that the tool has no field for', ['text=a', 'cuont:=1'], 'count'],
    ['that are text where it wants a number', ['text=a', 'count=5'], 'count:='],
    ['given twice', ['text=a', 'text=b'], 'text'],
    ['from a file that is not there', ['text=@/nowhere'], '/nowhere'],
    ['that are not JSON', ['count:=five'], 'count'],
  ])('are rejected before they are sent: %s', async (_, words, named) => {
    const { server, run } = await connectServer();
    const refused = await run('call', 'Offer', 'echo', ...words);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(named);
    expect(server.log).not.toContain('POST tools/call');
  });

  it('are shown by the help of a tool, from its schema', async () => {
    const { run } = await connectServer();
    const { code, stdout } = await run('call', 'Offer', 'echo', '--help');
    expect(code).toBe(0);
    for (const part of ['text: string', 'The text to return.', 'count?: integer', 'How often.'])
      expect(stdout).toContain(part);
    expect((await run('tools', 'Offer')).stdout).toContain('The text to return.');
  });
});

describe('templates and completion', () => {
  it('fills the placeholders of a template, and names those that are missing or unknown', async () => {
    const { run } = await connectServer();
    expect((await run('read', 'Offer', 'notes://{year}/{day}', 'year=2026', 'day=monday')).stdout).toBe(
      'monday of 2026',
    );
    const missing = await run('read', 'Offer', 'notes://{year}/{day}', 'year=2026');
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain('day');
    expect((await run('read', 'Offer', 'notes://{year}/{day}', 'yaer=1', 'day=2')).stderr).toContain('year');
  });

  it('asks the server what can come next', async () => {
    const { run } = await connectServer();
    const suggest = async (...words: string[]) =>
      (await run('completion', 'words', '--', ...words)).stdout.split('\n').filter(Boolean);
    const asData = await run('completion', 'words', '--json', '--', 'call', 'Offer', 'al');
    expect(asData.last).toEqual({ result: 'ok', words: ['album'] });
    expect((await run('completion', 'bash', '--json')).last['script']).toContain('postern');
    expect(await suggest('call', 'Offer', '')).toEqual(['odd', 'echo', 'numbers', 'fail', 'draw', 'album']);
    expect(await suggest('call', 'Offer', 'echo', 'c')).toEqual(['count:=']);
    expect(await suggest('prompt', 'Offer', 'pl')).toEqual(['plan']);
    expect(await suggest('prompt', 'Offer', 'plan', '')).toEqual(['city=', 'days=']);
    expect(await suggest('prompt', 'Offer', 'plan', 'city=P')).toEqual(['city=Paris', 'city=Porto']);
    expect(await suggest('read', 'Offer', 'notes://{year}/{day}', 'year=2026', 'day=')).toEqual([
      'day=monday',
      'day=tuesday',
    ]);
  });
});
