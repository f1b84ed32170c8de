import { fc, test } from '@fast-check/vitest';
import { applyEdits, modify } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { fillEntry } from '../../../../../main/apps/entry/our-entries.ts';
import { openList, proveAddition, proveRemoval, proveReplacement } from '../../../../../main/apps/list/edit-file.ts';
import { ListFault } from '../../../../../main/apps/list/entry-list.ts';
import type { EntryList, Making } from '../../../../../main/apps/list/entry-list.ts';
import type { Program } from '../../../../../main/apps/table/program.ts';
import { findProgram, programs } from '../../../../../main/apps/table/table.ts';

const start = { command: '/opt/postern/postern-pipe', args: ['--profile-folder', '/home/a b/"c"', 'notes'] };
const other = { command: '/opt/other', args: ['€\u007f'] };

function known(id: string): Program {
  const program = findProgram(id);
  if (!program) throw new Error(id);
  return program;
}

/** Adds, proves, replaces, removes and compares. */
function goThere(program: Program, before: string): { added: string; made: Making } {
  const list = openList(program);
  const entry = fillEntry(program.stdio, 'notes', start);
  const { text, made } = list.add(before, ['notes', entry]);
  proveAddition(list, { before, after: text }, ['notes', entry]);
  const changed = fillEntry(program.stdio, 'notes', other);
  const replaced = list.replace(text, ['notes', changed]);
  proveReplacement(list, { before: text, after: replaced }, ['notes', changed]);
  expect(list.replace(replaced, ['notes', entry])).toBe(text);
  const removed = list.remove(text, ['notes'], made);
  proveRemoval(list, { before: text, after: removed }, 'notes');
  return { added: text, made };
}

function remove(program: Program, text: string, made: Making): string {
  return openList(program).remove(text, ['notes'], made);
}

/** Files as people have them, by format. */
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

function filesOf({ format, list, trailingCommas }: Program): readonly string[] {
  if (format === 'toml') return tomlFiles;
  if (format === 'yaml-map') return yamlMaps;
  if (format === 'yaml-list') return yamlLists;
  return [
    ...jsonFiles(list),
    ...(format === 'jsonc' ? commentedFiles(list) : []),
    ...(trailingCommas ? trailingFiles(list) : []),
  ];
}

describe.each(programs)('the list of $name', (program) => {
  it.each(filesOf(program))('takes an entry, keeps every byte, and gives it up again: %j', (before) => {
    goThere(program, before);
  });

  it.each(filesOf(program))('takes and changes several entries in one reading as one after the other: %j', (before) => {
    const list = openList(program);
    const of = (words: typeof start) =>
      ['n3', 'n1', 'n2'].map((name) => [name, fillEntry(program.stdio, name, words)] as const);
    const together = list.add(before, ...of(start));
    const single = of(start).reduce((text, entry) => list.add(text, entry).text, before);
    expect(together).toEqual({ text: single, made: list.add(before, ...of(start).slice(0, 1)).made });
    const changed = list.replace(together.text, ...of(other).toReversed());
    expect(changed).toBe(of(other).reduce((text, entry) => list.replace(text, entry), together.text));
    proveReplacement(list, { before: together.text, after: changed }, ...of(other));
    expect(() => proveReplacement(list, { before: together.text, after: changed }, ...of(start))).toThrow(ListFault);
  });

  it.each(filesOf(program))('gives several entries up in one reading as one after the other: %j', (before) => {
    const list = openList(program);
    const names = ['n3', 'n1', 'n2'];
    const { text, made } = list.add(
      before,
      ...names.map((name) => [name, fillEntry(program.stdio, name, start)] as const),
    );
    // The last one of the file first: what goes with an entry depends on what follows it.
    for (const gone of [['n3'], ['n1'], ['n2'], ['n3', 'n2'], ['n3', 'n1'], ['n1', 'n2'], names]) {
      const single = gone.toReversed().reduce((left, name) => list.remove(left, [name], made), text);
      expect(list.remove(text, gone, made)).toBe(single);
      expect(list.remove(text, gone.toReversed(), made)).toBe(single);
      proveRemoval(list, { before: text, after: single }, ...gone);
    }
  });

  it('names its entries in the order of the file', () => {
    const list = openList(program);
    const [first, second] = ['b', 'a'].map((name) => [name, fillEntry(program.stdio, name, start)] as const);
    if (!first || !second) throw new Error('none');
    const text = list.add(list.add('', first).text, second).text;
    expect(list.read(text).entries?.map(([name]) => name)).toEqual(['b', 'a']);
    expect(list.read('').entries).toBeUndefined();
  });
});

/** Those of which the text alone says what stood there before. */
const reversible = (program: Program) => filesOf(program).filter((text) => !/\{ (?:\/\*|\})|\{\n *\}$|x$/u.test(text));

describe.each(['cursor', 'vscode', 'gemini-cli', 'goose', 'continue'])('an entry in %s', (id) => {
  const program = known(id);
  it.each(reversible(program))('leaves nothing behind: %j', (before) => {
    const { added, made } = goThere(program, before);
    const left = remove(program, added, made);
    // A last line that had no end may get one.
    expect(left.replace(/\r?\n$/, '')).toBe(before.replace(/\r?\n$/, ''));
  });
});

describe('what is not changed', () => {
  const faultOf = (list: EntryList, text: string) => {
    try {
      const entry = { command: 'x' };
      const { text: after } = list.add(text, ['notes', entry]);
      proveAddition(list, { before: text, after }, ['notes', entry]);
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
  ])('in %s: %s is %s', (id, text, fault) => {
    expect(faultOf(openList(known(id)), text)).toBe(fault);
  });

  it.each(['goose', 'continue'])('is none in YAML of 4 MiB, as far as long texts make it so: %s', (id) => {
    const before = `prompt: |\n${'  Say what you do, and do it well.\n'.repeat(119_000)}`;
    expect(before.length).toBeGreaterThan(4_000_000);
    goThere(known(id), before);
  });

  it.each(['- a\n', '[],', '{a,', '- - ', '"" ', '&a ', '!a ', '*a ', '? ', 'a: ', ']', '} ', '-\t', '?\t'])(
    'is a text in YAML with more values than people have: %j',
    (piece) => {
      const text = piece.repeat(450_000);
      expect(faultOf(openList(known('goose')), text)).toBe('layout');
    },
  );

  it.each([']', '} ', 'a: b\n]'])('is found in YAML at the first of many: %j', (piece) => {
    expect(faultOf(openList(known('goose')), piece.repeat(140_000))).toBe('damaged');
  });

  it('is found in YAML in no time: equal keys', () => {
    const list = openList(known('goose'));
    const many = Array.from({ length: 20_000 }, (_, index) => `k${index}: 1\n`).join('');
    expect(faultOf(list, `${many}k7: 2\n`)).toBe('damaged');
    expect(faultOf(list, 'extensions:\n  a: {b: c}\n  a: {b: d}\n')).toBe('damaged');
    expect(faultOf(list, many)).toBe('none');
  });

  it('is found where a splice did what it must not', () => {
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
      expect(() => proveAddition(list, change, ['notes', entry])).toThrow(ListFault);
    }
    expect(() => proveRemoval(list, { before: after, after: before.replace('1', '2') }, 'notes')).toThrow(ListFault);
    expect(() => proveRemoval(list, { before: after, after }, 'notes')).toThrow(ListFault);
    expect(() =>
      proveReplacement(list, { before: after, after: after.replace('"a": 1', '"a":1') }, ['notes', entry]),
    ).toThrow(ListFault);
  });
});

/** An entry that goes out of a file that the user has laid out in a way of their own. */
describe('an entry among comments', () => {
  const vscode = known('vscode');
  const removeProved = (before: string, ...names: readonly string[]): string => {
    const list = openList(vscode);
    const after = list.remove(before, names, 'entry');
    proveRemoval(list, { before, after }, ...names);
    return after;
  };
  const [a, b] = ['"a": {"command": "x"}', '"b": {"command": "y"}'];

  it.each(['\n', '\r\n'])('goes where more stands in its line, after a line that ends in a comment: %j', (end) => {
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
    'goes however the file is laid out, and no comment goes with it',
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

/** Why a library does not write these files. Where it comes to keep them, ours may go. */
describe('what jsonc-parser would write', () => {
  const list = openList(known('vscode'));
  const name = known('vscode').list;
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' };
  const byLibrary = (text: string, value: unknown): string =>
    applyEdits(text, modify(text, [name, 'notes'], value, { formattingOptions }));

  it('lays out the entry beside the one that is added', () => {
    const beside = '"x":   {"command": "y"}';
    const before = `{\n  "${name}": {\n    ${beside}\n  }\n}\n`;
    expect(byLibrary(before, { command: 'c' })).not.toContain(beside);
    expect(list.add(before, ['notes', { command: 'c' }]).text).toContain(beside);
  });

  it('takes away comments that stand beside the one that goes', () => {
    const comments = ['// of x', '/* off */'];
    const before = `{\n  "${name}": {\n    "x": {}, ${comments[0]}\n    ${comments[1]}\n    "notes": {}\n  }\n}\n`;
    const left = list.remove(before, ['notes'], 'entry');
    for (const comment of comments) {
      expect(byLibrary(before, undefined)).not.toContain(comment);
      expect(left).toContain(comment);
    }
  });
});
