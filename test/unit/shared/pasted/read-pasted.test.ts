import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Pasted } from '../../../../shared/pasted/read-command.ts';
import { readPasted } from '../../../../shared/pasted/read-pasted.ts';
import { runs } from '../../../support/runs.ts';

const linear = 'https://mcp.linear.app/mcp';
const address = (url: string): Pasted => ({ kind: 'address', url });
const local = (app: string): object => ({ kind: 'local', app });
const name = (text: string): Pasted => ({ kind: 'name', name: text });
const fence = '```';

describe('readPasted', () => {
  it.each<[string, Pasted]>([
    [linear, address(linear)],
    [`  ${linear}\n`, address(linear)],
    [`"${linear}"`, address(linear)],
    [`\`${linear}\``, address(linear)],
    [`<${linear}>.`, address(linear)],
    [`${linear}.`, address(linear)],
    [`(${linear})`, address(linear)],
    [`URL: ${linear}, then sign in.`, address(linear)],
    [`[Linear](${linear})`, address(linear)],
    ['https://a.example/mcp?x=(1)', address('https://a.example/mcp?x=(1)')],
    ['http://[::1]:3000/mcp', address('http://[::1]:3000/mcp')],
    ['http://[::1]', address('http://[::1]')],
    ['ftp://a.example/mcp', address('ftp://a.example/mcp')],
  ])('extracts the address from %j', (text, expected) => {
    expect(readPasted(text)).toEqual(expected);
  });

  it.each([
    ['example.com', 'https://example.com'],
    ['example.com/mcp', 'https://example.com/mcp'],
    ['example.com:8443/mcp?a=b', 'https://example.com:8443/mcp?a=b'],
    ['mcp.münchen.example/mcp', 'https://mcp.münchen.example/mcp'],
    ['10.0.0.7/mcp', 'https://10.0.0.7/mcp'],
    ['localhost:3000/mcp', 'http://localhost:3000/mcp'],
    ['LOCALHOST/mcp', 'http://LOCALHOST/mcp'],
    ['app.localhost/mcp', 'http://app.localhost/mcp'],
    ['127.0.0.1:8931', 'http://127.0.0.1:8931'],
    ['[::1]:8931/mcp', 'http://[::1]:8931/mcp'],
    ['localhost.example/mcp', 'https://localhost.example/mcp'],
    ['127.0.0.1.example/mcp', 'https://127.0.0.1.example/mcp'],
  ])('completes %s: https, and http only for this computer', (text, url) => {
    expect(readPasted(text)).toEqual(address(url));
  });

  it.each(['Linear', 'Docker docs', 'Stack Overflow', 'go', 'node', 'server.js', 'a@b.example', '1.2.3', 'Java'])(
    'treats %j as a name',
    (text) => {
      expect(readPasted(text)).toEqual(name(text));
    },
  );

  it.each([
    [`claude mcp add --transport http linear ${linear}`, 'linear', linear],
    [`claude mcp add linear ${linear} -t http -s user`, 'linear', linear],
    [`$ claude mcp add -t sse asana https://mcp.asana.com/sse`, 'asana', 'https://mcp.asana.com/sse'],
    [`claude mcp add --transport http "my linear" '${linear}'`, 'my linear', linear],
    [`claude mcp add \\\n  --transport http \\\n  linear ${linear}`, 'linear', linear],
    [`npx -y @anthropic-ai/claude-code@latest mcp add -t http linear ${linear}`, 'linear', linear],
    [`bunx @openai/codex mcp add linear --url ${linear}`, 'linear', linear],
    [`codex mcp add linear --url ${linear}`, 'linear', linear],
    [`codex mcp add --url=${linear} linear`, 'linear', linear],
    [`gemini mcp add --transport http linear ${linear}`, 'linear', linear],
    [`amp mcp add linear ${linear}`, 'linear', linear],
    [`sudo claude mcp add --transport http linear mcp.linear.app/mcp`, 'linear', linear],
  ])('reads %j as the server that the command would add', (text, key, url) => {
    expect(readPasted(text)).toEqual({
      kind: 'list',
      url,
      text: JSON.stringify({ mcpServers: { [key]: { url, headers: {} } } }),
    });
  });

  it.each([
    [`claude mcp add -t http a ${linear} --header "Authorization: Bearer abc"`, { Authorization: 'Bearer abc' }],
    [`claude mcp add -t http a ${linear} -H 'X-Key: 1' --header=X-Other:2`, { 'X-Key': '1', 'X-Other': '2' }],
    [`claude mcp add -t http --header "Authorization: Bearer $KEY" a ${linear}`, { Authorization: 'Bearer ${KEY}' }],
    [`codex mcp add a --url ${linear} --bearer-token-env-var KEY`, { Authorization: 'Bearer ${KEY}' }],
    [`claude mcp add --header "A: 1" "B: 2" --transport http a ${linear}`, { A: '1', B: '2' }],
    [`claude mcp add -thttp a ${linear} -H"X-Key: 1" -HX-Other:2`, { 'X-Key': '1', 'X-Other': '2' }],
    [`claude mcp add -t http a ${linear} -H 'X.Key: a b:c '`, { 'X.Key': 'a b:c' }],
    [`claude mcp add -t http a ${linear} --header “Authorization: Bearer abc”`, { Authorization: 'Bearer abc' }],
    [`claude mcp add -t http a ${linear} -H "X: 1"; claude mcp list`, { X: '1' }],
    [`claude mcp add -t http a ${linear} -H "X: $env:KEY"`, { X: '${KEY}' }],
    [`gemini mcp add --description "My tools" --include-tools b,c a ${linear} -H "X: 1"`, { X: '1' }],
  ])('keeps the headers of %j', (text, headers) => {
    const read = readPasted(text);
    expect(read.kind === 'list' && JSON.parse(read.text)).toEqual({ mcpServers: { a: { url: linear, headers } } });
  });

  it.each([
    `npx -y mcp-remote ${linear}`,
    `npx mcp-remote@latest ${linear} --header "X-Key: 1"`,
    `claude mcp add a -- npx -y mcp-remote ${linear}`,
    `codex mcp add a -- npx mcp-remote ${linear}`,
  ])('passes the words of %j to main, which knows mcp-remote', (text) => {
    const read = readPasted(text);
    expect(read).toMatchObject({ kind: 'list', url: linear });
    const [entry] = Object.values(read.kind === 'list' ? Object(JSON.parse(read.text)).mcpServers : {});
    expect(entry).toMatchObject({ command: 'npx', args: expect.arrayContaining([linear]) });
  });

  it('keeps a quoted header together for mcp-remote', () => {
    const read = readPasted(`npx mcp-remote ${linear} --header "X-Key: a b"`);
    expect(read).toMatchObject({ text: expect.stringContaining('"X-Key: a b"') });
  });

  it.each([
    ['npx -y @playwright/mcp@latest', '@playwright/mcp@latest'],
    ['uvx mcp-server-git --repository /tmp', 'mcp-server-git'],
    ['docker run -i --rm ghcr.io/github/github-mcp-server', 'ghcr.io/github/github-mcp-server'],
    ['docker run -i --rm -e GITHUB_TOKEN ghcr.io/github/github-mcp-server', 'ghcr.io/github/github-mcp-server'],
    ['docker run -it --env=A --name one -v /tmp:/tmp --network host mcp/fetch --root /', 'mcp/fetch'],
    ['podman run --rm -eA=b -p8080:80 mcp/fetch', 'mcp/fetch'],
    ['claude mcp add notes -- docker run -i -e A mcp/notes', 'mcp/notes'],
    ['python -m mcp_server', 'mcp_server'],
    [
      'claude mcp add files -- npx -y @modelcontextprotocol/server-filesystem /tmp',
      '@modelcontextprotocol/server-filesystem',
    ],
    ['GITHUB_TOKEN=x npx -y foo', 'foo'],
    ['/usr/local/bin/my-server', '/usr/local/bin/my-server'],
    [`${fence}bash\nnpx -y foo\n${fence}`, 'foo'],
  ])('recognizes a local command in %j', (text, app) => {
    expect(readPasted(text)).toMatchObject(local(app));
  });

  it.each([
    ['$ KEY=a npx -y foo', undefined, ['npx', '-y', 'foo'], ['KEY']],
    [
      'claude mcp add notes -e KEY=a --env=B=c -- npx -y foo --header x',
      'notes',
      ['npx', '-y', 'foo', '--header', 'x'],
      ['KEY', 'B'],
    ],
    ['codex mcp add notes --env KEY=a -- uvx foo', 'notes', ['uvx', 'foo'], ['KEY']],
    ['claude mcp add --env KEY=a B=c -eD=d notes -- uvx foo', 'notes', ['uvx', 'foo'], ['KEY', 'B', 'D']],
    ['gemini mcp add -s user notes npx -y foo --port 1', 'notes', ['npx', '-y', 'foo', '--port', '1'], []],
    ['docker run -i --rm mcp/fetch', undefined, ['docker', 'run', '-i', '--rm', 'mcp/fetch'], []],
    [
      'A=1 docker run -e A -e B --env C --env=D -eE -e F=2 mcp/fetch -e G',
      undefined,
      'docker run -e A -e B --env C --env=D -eE -e F=2 mcp/fetch -e G'.split(' '),
      ['A', 'B', 'C', 'D', 'E'],
    ],
  ] as const)('reads the command words and variables of %j', (text, called, words, names) => {
    const read = readPasted(text);
    expect(read).toMatchObject({ kind: 'local', words, ...(called !== undefined && { name: called }) });
    expect(read.kind === 'local' ? read.variables.map((variable) => variable.name) : []).toEqual(names);
  });

  it.each([
    '{"mcpServers": {"a": {"url": "https://a.example"}}}',
    '{ "url": "https://a.example" }',
    '// .cursor/mcp.json\n{ "mcpServers": {} }',
    `${fence}json\n{"a": {"url": "https://a.example"}}\n${fence}`,
  ])('passes the configuration %j on unchanged', (text) => {
    const inner = text.replace(/^```json\n|\n```$/gu, '');
    expect(readPasted(text)).toEqual({ kind: 'list', text: inner });
  });

  it.each([
    ['"a": { "url": "https://a.example" },', '{"a": { "url": "https://a.example" }}'],
    ['"a": { "url": "https://a.example" } } }', '{"a": { "url": "https://a.example" }}'],
    ['"url": "https://a.example"', '{"url": "https://a.example"}'],
  ])('completes the configuration fragment %j', (text, whole) => {
    expect(readPasted(text)).toEqual({ kind: 'list', text: whole });
  });

  it.each([
    [`claude mcp add-json a '{"type":"http","url":"${linear}"}'`, { a: { type: 'http', url: linear } }],
    [`code --add-mcp '{"name":"a","url":"${linear}"}'`, { name: 'a', url: linear }],
    [
      `cursor://anysphere.cursor-deeplink/mcp/install?name=a&config=${btoa(`{"url":"${linear}"}`)}`,
      { a: { url: linear } },
    ],
    [`vscode:mcp/install?${encodeURIComponent(`{"name":"a","url":"${linear}"}`)}`, { name: 'a', url: linear }],
  ])('reads the configuration in %j', (text, expected) => {
    const read = readPasted(text);
    expect(read.kind === 'list' && JSON.parse(read.text)).toEqual(expected);
  });

  it.each(['<YOUR_KEY>', '${KEY}', '{{key}}', 'YOUR_API_KEY', '$KEY'])(
    'leaves %s in an address for main to reject',
    (gap) => {
      const url = `https://mcp.example/mcp?key=${gap}`;
      expect(readPasted(url)).toMatchObject({ kind: 'address', url });
      expect(readPasted(`Set it up.\nOpen ${url} in your program.`)).toMatchObject({ kind: 'address', url });
    },
  );

  it("finds the server's address among those of a page", () => {
    const page = `# Linear\nSee https://linear.app/docs and https://modelcontextprotocol.io/.\nAdd ${linear} to your client.`;
    expect(readPasted(page)).toEqual(address(linear));
  });

  it("prefers a page's code to its text, and a URL to a local command", () => {
    const page = `Run npx foo. Or:\n\n${fence}sh\nnpx -y foo\n${fence}\n\n${fence}sh\nclaude mcp add a ${linear}\n${fence}\n`;
    expect(readPasted(page)).toMatchObject({ kind: 'list', url: linear });
  });

  it('asks which of several addresses the user means', () => {
    const page = `Europe: https://mcp.eu.a.example/mcp\nElsewhere: https://mcp.a.example/mcp or https://mcp.a.example/sse`;
    expect(readPasted(page)).toEqual({
      kind: 'several',
      urls: ['https://mcp.eu.a.example/mcp', 'https://mcp.a.example/mcp', 'https://mcp.a.example/sse'],
    });
  });

  it.each([
    ['', 'nothing'],
    ['  \n ', 'nothing'],
    ['This page has\nno address at all.', 'text'],
    ['x'.repeat(81), 'text'],
  ])('classifies %j as %s', (text, kind) => {
    expect(readPasted(text)).toEqual({ kind });
  });

  it('never throws, and stays fast for a long paste', () => {
    const parts = [
      '```',
      '`',
      '"',
      "'",
      '{',
      '}',
      '(',
      '\\',
      '\n',
      '\r\n',
      ' ',
      '$A',
      'npx',
      'a.b',
      'https://',
      '://',
      '%',
      '.',
      ',',
      ')',
      ']',
      '>',
      '[',
      '"a": ',
    ];
    const text = fc.array(fc.oneof(fc.constantFrom(...parts), fc.string({ maxLength: 4 })), { maxLength: 60 });
    fc.assert(
      fc.property(text, (words) => void readPasted(words.join(''))),
      { numRuns: runs(1_000) },
    );
    const began = process.cpuUsage();
    for (const part of [...parts, '"a": {}', ' "', ' }', '.a', ')!']) {
      readPasted(part.repeat(60_000));
      readPasted(`npx ${part.repeat(60_000)}`);
    }
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1_000).toBeLessThan(2_500);
  });

  // Quadratic time, or a call per character, would not finish these.
  it.each<[string, string, string]>([
    ['https://a.example/', '.', 'x'],
    ['https://a.example/', ')', ''],
    ['https://a.example/', ')]', ''],
    ['see https://a.example/', ').', ' it'],
    ['"a": {', ', ', 'x'],
    ['"a": {', '}', ''],
    ['"a": {', ' }', 'x'],
    ['"a": {', '}', 'x'],
    ['a.', 'a', '!'],
    ['//', '\n//', ''],
    ['npx "', '\\"', ''],
    ["npx '", '\\ ', ''],
    ['', '```\n', ''],
    ['', '([<"', ''],
  ])('reads %j, a mebibyte of %j and %j', (start, part, end) => {
    const text = start + part.repeat(2 ** 20 / part.length) + end;
    expect(readPasted(text).kind).not.toBe('nothing');
  });

  it('rejects a host name that is too long', () => {
    expect(readPasted(`a.${'a'.repeat(250)}`)).toMatchObject({ kind: 'address' });
    expect(readPasted(`a.${'a'.repeat(253)}`)).toEqual({ kind: 'text' });
  });
});
