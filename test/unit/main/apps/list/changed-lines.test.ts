import { describe, expect, it } from 'vitest';
import { changedLines } from '../../../../../main/apps/list/changed-lines.ts';
import { openList } from '../../../../../main/apps/list/edit-file.ts';
import { findApp } from '../../../../../main/apps/table/apps.ts';

const secret = 'canary-6b1f';
const entry = { command: '/usr/bin/postern-pipe', args: ['notes', '--app', '0123456789abcdef'] };
const ours = new Set([entry.command, ...entry.args]);
const show = (value: string): string | undefined => (ours.has(value) ? value : undefined);

/** Files with a secret in every possible position. */
const files = {
  cursor: [
    `{ // ${secret}\n  "mcpServers": {\n    "other": { "url": "https://x.example/?k=${secret}", "headers": { "K": "\\u0063${secret}" } },\n    "more": { "command": "x", "args": ["${secret}", 4711] } /* ${secret}\n ${secret} */\n  }\n}\n`,
    `{"mcpServers":{"other":{"env":{"K":"${secret}"}}}}`,
    `{\r\n\t"mcpServers": {\r\n\t\t"other": { "env": { "K": "${secret}" } }\r\n\t}\r\n}\r\n`,
  ],
  codex: [
    `token = "${secret}" # ${secret}\n[mcp_servers.other] # ${secret}\ncommand = 'x'\nargs = ["${secret}", # ${secret}\n  '${secret}']\nenv = { K = "${secret}", "a b".c = """\n${secret}\n""" }\n# ${secret}\n`,
  ],
  goose: [
    `extensions:\n  other:\n    cmd: x # ${secret}\n    args: ["${secret}", '${secret}']\n    envs: { K: ${secret} }\n    note: |\n      ${secret}\n      ${secret}\n`,
  ],
  continue: [`name: ${secret}\nmcpServers:\n  - name: other\n    command: ${secret}\n`],
} as const;
const every = Object.entries(files).flatMap(([id, texts]) => texts.map((text) => [id, text] as const));

describe('the lines of a change', () => {
  it.for(every)("are the file's own lines, with values of other entries hidden: %s", ([id, text]) => {
    const app = findApp(id) ?? expect.fail();
    const list = openList(app);
    const shaped = { ...entry, ...(id === 'goose' || id === 'continue' ? { name: 'notes' } : {}) };
    const added = list.add(text, ['notes', shaped]).text;
    const coming = changedLines(app, { before: text, after: added }, ['notes'], (value) =>
      value === 'notes' ? value : show(value),
    );
    expect(JSON.stringify(coming)).not.toContain(secret);
    expect(coming?.after).toContain(entry.command);
    // A one-line file changes as one line.
    const isOneLine = !text.includes('\n');
    expect(coming?.before === '').toBe(!isOneLine);
    if (!isOneLine) for (const line of coming?.after.split('\n') ?? []) expect(added).toContain(line);
    const going = changedLines(app, { before: added, after: list.remove(added, ['notes'], 'entry') }, ['notes'], show);
    expect(going?.after === '').toBe(!isOneLine);
    const all = changedLines(app, { before: text, after: '' }, [], show);
    expect(JSON.stringify(all)).not.toContain(secret);
    expect(all?.before.split('\n')).toHaveLength(
      text.split('\n').filter((line, at, lines) => line !== '' || at < lines.length - 1).length,
    );
  });

  it('are found in the file, not in the redacted text', () => {
    const app = findApp('cursor') ?? expect.fail();
    const text = (key: string): string => `{ "mcpServers": {\n"a": { "env": { "K": "${key}" } },\n"b": {}\n} }`;
    const line = '"a": { "env": { "K": "…" } },';
    expect(changedLines(app, { before: text('one'), after: text('two') }, [], show)).toEqual({
      before: line,
      after: line,
    });
  });

  it('show a replaced entry with its name, so that the user sees which one changes', () => {
    const app = findApp('cursor') ?? expect.fail();
    const list = openList(app);
    const before = list.add('', ['notes', { url: 'https://x.example/mcp' }]).text;
    const after = list.replace(before, ['notes', entry]);
    const lines = changedLines(app, { before, after }, ['notes'], show);
    expect(lines?.before.split('\n')).toEqual(['    "notes": {', '      "url": "…"', '    }']);
    expect(lines?.after.split('\n')[0]).toBe('    "notes": {');
  });

  it('are not computed for texts with too little in common', () => {
    const app = findApp('cursor') ?? expect.fail();
    const text = (word: string): string =>
      `{${Array.from({ length: 3_000 }, (_, at) => `\n"${word}${at}": 1`).join(',')}\n}`;
    expect(changedLines(app, { before: text('a'), after: text('b') }, [], show)).toBeUndefined();
  });
});
