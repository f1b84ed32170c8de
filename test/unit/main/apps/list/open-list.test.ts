import { fc, test } from '@fast-check/vitest';
import { applyEdits, modify } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { fillEntry } from '../../../../../main/apps/entry/our-entries.ts';
import { openList, verifyAddition, verifyRemoval, verifyReplacement } from '../../../../../main/apps/list/edit-file.ts';
import { ListFault } from '../../../../../main/apps/list/entry-list.ts';
import type { EntryList, CreatedScope } from '../../../../../main/apps/list/entry-list.ts';
import type { App } from '../../../../../main/apps/table/app.ts';
import { findApp, apps } from '../../../../../main/apps/table/apps.ts';

const start = { command: '/opt/postern/postern-pipe', args: ['--profile-folder', '/home/a b/"c"', 'notes'] };
const other = { command: '/opt/other', args: ['€\u007f'] };

function known(id: string): App {
  const app = findApp(id);
  if (!app) throw new Error(id);
  return app;
}

/** Adds, proves, replaces, removes and compares. */
function addAndRemove(app: App, before: string): { added: string; made: CreatedScope } {
  const list = openList(app);
  const entry = fillEntry(app.stdio, 'notes', start);
  const { text, made } = list.add(before, ['notes', entry]);
  verifyAddition(list, { before, after: text }, ['notes', entry]);
  const changed = fillEntry(app.stdio, 'notes', other);
  const replaced = list.replace(text, ['notes', changed]);
  verifyReplacement(list, { before: text, after: replaced }, ['notes', changed]);
  expect(list.replace(replaced, ['notes', entry])).toBe(text);
  const removed = list.remove(text, ['notes'], made);
  verifyRemoval(list, { before: text, after: removed }, 'notes');
  return { added: text, made };
}

function remove(app: App, text: string, made: CreatedScope): string {
  return openList(app).remove(text, ['notes'], made);
}

/** Typical files of each format. */
const jsonFiles = (list: string) => [
  '',
  '{}',
  '{}\n',
  `{"${list}":{}}`,
  `{ "${list}": {} }\n`,
  `{\n  "${list}": {}\n}\n`,
  `{"a":1,"${list}":{"x":{"command":"y"}}}`,
  `{\n\t"theme": "dark",\n\t"${list}": {\n\t\t"x": {\n\t\t\t"command": "y"\n\t\t}\n\t}\n}`,
  `{\r\n    "${list}": {\r\n        "x": { "command": "y" }\r\n    },\r\n    "n": 12345678901234567890\r\n}\r\n`,
  `\ufeff{\n  "other": [1, 2]\n}\n`,
];
const commentedFiles = (list: string) => [
  `// mine\n{\n  // before\n  "${list}": {\n    "x": { "command": "y" } // behind\n    // "old": {}\n  } /* end */\n}\n// last\n`,
  `{\n  /* a */ "${list}": { /* none */ }\n}\n`,
  `{\n  "${list}": {\n    // nothing yet\n  }\n}\n`,
];
const trailingFiles = (list: string) => [
  `{\n  "${list}": {\n    "x": { "command": "y" }, // behind\n  },\n}\n`,
  `{ "${list}": { "x": {}, }, }`,
];
const tomlFiles = [
  '',
  'model = "o"\n',
  'model = "o"',
  '# mine\r\nmodel = "o" # behind\r\n\r\n[mcp_servers.x]\r\ncommand = "y"\r\n',
  '[mcp_servers]\n\n[mcp_servers."a b".env]\nK = "v"\n\n[other]\nwhen = 2026-11-22T10:00:00Z\nbig = 9223372036854775807\n',
  'text = """\n[mcp_servers.notes]\n"""\nlist = [\n  "[x]", # ]\n]\n',
];
const yamlMaps = [
  '',
  'extensions:\n',
  'extensions: {}\n',
  'extensions: {a: {b: c}}\n',
  '# mine\nGOOSE: x\n',
  'extensions:\n  x:\n    cmd: y   # behind\n  # off:\n  #   cmd: z\nother: |\n  text\n  more\n',
  'extensions:\r\n    x:\r\n        cmd: y\r\n',
  'extensions:\n  x: {cmd: y}',
  'a: &a {b: 1}\nc: *a\nextensions:\n  x:\n    text: >\n      folded\n\n',
];
const yamlLists = [
  '',
  'mcpServers: []\n',
  'name: me\nversion: 0.0.1\nschema: v1\nmodels:\n  - name: m\n',
  'mcpServers:\n- name: x\n  command: y\nother: 1\n',
  'mcpServers:\n  - name: x\n    command: y # behind\n  - uses: a/b',
];

function filesOf({ format, list, trailingCommas }: App): readonly string[] {
  if (format === 'toml') return tomlFiles;
  if (format === 'yaml-map') return yamlMaps;
  if (format === 'yaml-list') return yamlLists;
  return [
    ...jsonFiles(list),
    ...(format === 'jsonc' ? commentedFiles(list) : []),
    ...(trailingCommas ? trailingFiles(list) : []),
  ];
}

describe.each(apps)('the list of $name', (app) => {
  it.each(filesOf(app))('adds and removes an entry, and preserves every other byte: %j', (before) => {
    addAndRemove(app, before);
  });

  it.each(filesOf(app))('adds and replaces several entries at once as if one by one: %j', (before) => {
    const list = openList(app);
    const of = (words: typeof start) =>
      ['n3', 'n1', 'n2'].map((name) => [name, fillEntry(app.stdio, name, words)] as const);
    const together = list.add(before, ...of(start));
    const single = of(start).reduce((text, entry) => list.add(text, entry).text, before);
    expect(together).toEqual({ text: single, made: list.add(before, ...of(start).slice(0, 1)).made });
    const changed = list.replace(together.text, ...of(other).toReversed());
    expect(changed).toBe(of(other).reduce((text, entry) => list.replace(text, entry), together.text));
    verifyReplacement(list, { before: together.text, after: changed }, ...of(other));
    expect(() => verifyReplacement(list, { before: together.text, after: changed }, ...of(start))).toThrow(ListFault);
  });

  it.each(filesOf(app))('removes several entries at once as if one by one: %j', (before) => {
    const list = openList(app);
    const names = ['n3', 'n1', 'n2'];
    const { text, made } = list.add(before, ...names.map((name) => [name, fillEntry(app.stdio, name, start)] as const));
    // Removes the last one first: what goes with an entry depends on what follows it.
    for (const gone of [['n3'], ['n1'], ['n2'], ['n3', 'n2'], ['n3', 'n1'], ['n1', 'n2'], names]) {
      const single = gone.toReversed().reduce((left, name) => list.remove(left, [name], made), text);
      expect(list.remove(text, gone, made)).toBe(single);
      expect(list.remove(text, gone.toReversed(), made)).toBe(single);
      verifyRemoval(list, { before: text, after: single }, ...gone);
    }
  });

  it('lists entries in file order', () => {
    const list = openList(app);
    const [first, second] = ['b', 'a'].map((name) => [name, fillEntry(app.stdio, name, start)] as const);
    if (!first || !second) throw new Error('none');
    const text = list.add(list.add('', first).text, second).text;
    expect(list.read(text).entries?.map(([name]) => name)).toEqual(['b', 'a']);
    expect(list.read('').entries).toBeUndefined();
  });
});

/** Files that can be restored from the text alone. */
const reversible = (app: App) => filesOf(app).filter((text) => !/\{ (?:\/\*|\})|\{\n *\}$|x$/u.test(text));

describe.each(['cursor', 'vscode', 'gemini-cli', 'goose', 'continue'])('an entry in %s', (id) => {
  const app = known(id);
  it.each(reversible(app))('leaves no trace: %j', (before) => {
    const { added, made } = addAndRemove(app, before);
    const left = remove(app, added, made);
    // An unterminated last line may gain a line end.
    expect(left.replace(/\r?\n$/, '')).toBe(before.replace(/\r?\n$/, ''));
  });
});

describe('a fault in a file that is not changed', () => {
  const faultOf = (list: EntryList, text: string) => {
    try {
      const entry = { command: 'x' };
      const { text: after } = list.add(text, ['notes', entry]);
      verifyAddition(list, { before: text, after }, ['notes', entry]);
    } catch (error) {
      if (error instanceof ListFault) return error.kind;
      throw error;
    }
    return 'none';
  };

  it.each([
    ['cursor', '{', 'damaged'],
    ['cursor', '{"mcpServers": {},}', 'damaged'],
    ['gemini-cli', '{"mcpServers": {"a": {},}}', 'damaged'],
    ['claude-desktop', '{} // mine', 'damaged'],
    ['claude-desktop', '{"a": 01}', 'damaged'],
    ['cursor', '[]', 'layout'],
    ['cursor', '5', 'layout'],
    ['cursor', '{"mcpServers": []}', 'layout'],
    ['cursor', '{"mcpServers": null}', 'layout'],
    ['cursor', '{"mcpServers": {}, "mcpServers": {}}', 'layout'],
    ['cursor', '{"mcpServers": {"a": {}, "a": {}}}', 'layout'],
    ['cursor', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'damaged'],
    ['codex', 'a = ', 'damaged'],
    ['codex', 'mcp_servers = {}', 'layout'],
    ['codex', 'mcp_servers = 5', 'layout'],
    ['codex', 'mcp_servers = { a = { command = "b" } }', 'layout'],
    ['codex', '[[mcp_servers]]\nname = "a"\n', 'layout'],
    ['codex', 'a = """', 'damaged'],
    ['goose', 'a: [', 'damaged'],
    ['goose', 'a: 1\na: 2\n', 'damaged'],
    ['goose', '- a\n', 'layout'],
    ['goose', 'extensions: []\n', 'layout'],
    ['goose', 'extensions: ~\n', 'layout'],
    ['goose', 'extensions: 5\n', 'layout'],
    ['goose', '{}\n', 'layout'],
    ['goose', 'a: &a {}\nextensions: *a\n', 'layout'],
    ['goose', 'a: 1\n---\nb: 2\n', 'damaged'],
    ['continue', 'mcpServers: {}\n', 'layout'],
    [
      'continue',
      `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n`,
      'damaged',
    ],
  ])('is, in %s, for %s: %s', (id, text, fault) => {
    expect(faultOf(openList(known(id)), text)).toBe(fault);
  });

  it.each(['goose', 'continue'])('is none in 4 MiB of YAML if only long texts make it large: %s', (id) => {
    const before = `prompt: |\n${'  Say what you do, and do it well.\n'.repeat(119_000)}`;
    expect(before.length).toBeGreaterThan(4_000_000);
    addAndRemove(known(id), before);
  });

  it.each(['- a\n', '[],', '{a,', '- - ', '"" ', '&a ', '!a ', '*a ', '? ', 'a: ', ']', '} ', '-\t', '?\t'])(
    'is YAML with an excessive number of values: %j',
    (piece) => {
      const text = piece.repeat(450_000);
      expect(faultOf(openList(known('goose')), text)).toBe('layout');
    },
  );

  it.each([']', '} ', 'a: b\n]'])('is found at the first of many syntax errors in YAML: %j', (piece) => {
    expect(faultOf(openList(known('goose')), piece.repeat(140_000))).toBe('damaged');
  });

  it('is found quickly for duplicate keys in YAML', () => {
    const list = openList(known('goose'));
    const many = Array.from({ length: 20_000 }, (_, index) => `k${index}: 1\n`).join('');
    expect(faultOf(list, `${many}k7: 2\n`)).toBe('damaged');
    expect(faultOf(list, 'extensions:\n  a: {b: c}\n  a: {b: d}\n')).toBe('damaged');
    expect(faultOf(list, many)).toBe('none');
  });

  it('is found if a splice changed something else', () => {
    const list = openList(known('cursor'));
    const before = '{"a": 1, "mcpServers": {"x": {}}}';
    const entry = { command: 'c' };
    const { text: after } = list.add(before, ['notes', entry]);
    for (const [from, to] of [
      ['"a": 1', '"a": 2'],
      ['"a": 1', '"a": 12'],
      ['"x": {}', '"x": {"y": 1}'],
      ['"command":"c"', '"command":"d"'],
      ['"a": 1', '"a":1'],
    ] as const) {
      expect(after).toContain(from);
      const change = { before, after: after.replace(from, to) };
      expect(() => verifyAddition(list, change, ['notes', entry])).toThrow(ListFault);
    }
    expect(() => verifyRemoval(list, { before: after, after: before.replace('1', '2') }, 'notes')).toThrow(ListFault);
    expect(() => verifyRemoval(list, { before: after, after }, 'notes')).toThrow(ListFault);
    expect(() =>
      verifyReplacement(list, { before: after, after: after.replace('"a": 1', '"a":1') }, ['notes', entry]),
    ).toThrow(ListFault);
  });
});

/** Removing an entry from a file with a custom layout. */
describe('an entry among comments', () => {
  const vscode = known('vscode');
  const removeProved = (before: string, ...names: readonly string[]): string => {
    const list = openList(vscode);
    const after = list.remove(before, names, 'entry');
    verifyRemoval(list, { before, after }, ...names);
    return after;
  };
  const [a, b] = ['"a": {"command": "x"}', '"b": {"command": "y"}'];

  it.each(['\n', '\r\n'])('is removed from a shared line that follows a comment: %j', (end) => {
    const inList = (...lines: readonly string[]): string =>
      [`{`, `\t"${vscode.list}": {`, ...lines, '}'].join(end) + end;
    for (const [before, name, left] of [
      [['\t\t// mine', `\t\t${a}, ${b}`, '\t}'], 'a', ['\t\t// mine', `\t\t${b}`, '\t}']],
      [['\t\t// mine', `\t\t${a}, /* of b */ ${b}`, '\t}'], 'a', ['\t\t// mine', `\t\t/* of b */ ${b}`, '\t}']],
      [[`\t\t${a}, // of a`, `\t\t${b} }`], 'b', [`\t\t${a} // of a`, ' }']],
      [['\t\t// mine', `\t\t${a}, }`], 'a', ['\t\t// mine', ' }']],
      [
        ['\t\t// mine', `\t\t${a}, /* of`, 'b */', `\t\t${b}`, '\t}'],
        'a',
        ['\t\t// mine', '\t\t/* of', 'b */', `\t\t${b}`, '\t}'],
      ],
      [['\t\t// mine', `\t\t${a}, // of a`, `\t\t${b}`, '\t}'], 'a', ['\t\t// mine // of a', `\t\t${b}`, '\t}']],
    ] as const)
      expect(removeProved(inList(...before), name)).toBe(inList(...left));
  });

  const gap = fc
    .array(fc.constantFrom(' ', '\t', '\n', '\r\n  ', '// c, "q": {}\n', '// c\r\n', '/* c */', '/* c\n c */'), {
      maxLength: 4,
    })
    .map((parts) => parts.join(''));
  const names = ['x', 'y', 'z'];
  test.prop([fc.array(gap, { minLength: 10, maxLength: 10 }), fc.subarray(names, { minLength: 1 }), fc.boolean()])(
    'is removed whatever the layout, and no comment is lost',
    (gaps, gone, hasTrailingComma) => {
      const entries = names.map((name, index) => `${gaps[index]}"${name}": {}${gaps[index + 3]}`);
      const trailing = hasTrailingComma ? `,${gaps[6]}` : '';
      const before = `{${gaps[7]}"${vscode.list}":${gaps[8]}{${entries.join(',')}${trailing}}${gaps[9]}}`;
      const after = removeProved(before, ...gone);
      const comments = (text: string): number => text.split('c').length;
      expect(comments(after)).toBe(comments(before));
    },
  );
});

/** Why no library writes these files. Once it preserves them, our code can go. */
describe('what jsonc-parser would write', () => {
  const list = openList(known('vscode'));
  const name = known('vscode').list;
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' };
  const byLibrary = (text: string, value: unknown): string =>
    applyEdits(text, modify(text, [name, 'notes'], value, { formattingOptions }));

  it('reformats the entry next to the added one', () => {
    const beside = '"x":   {"command": "y"}';
    const before = `{\n  "${name}": {\n    ${beside}\n  }\n}\n`;
    expect(byLibrary(before, { command: 'c' })).not.toContain(beside);
    expect(list.add(before, ['notes', { command: 'c' }]).text).toContain(beside);
  });

  it('removes comments next to the removed entry', () => {
    const comments = ['// of x', '/* off */'];
    const before = `{\n  "${name}": {\n    "x": {}, ${comments[0]}\n    ${comments[1]}\n    "notes": {}\n  }\n}\n`;
    const left = list.remove(before, ['notes'], 'entry');
    for (const comment of comments) {
      expect(byLibrary(before, undefined)).not.toContain(comment);
      expect(left).toContain(comment);
    }
  });
});
