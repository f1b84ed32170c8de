import { describe, expect, it } from 'vitest';
import { parseUriTemplate } from '../../../../../main/mcp/client/uri-template.ts';
import {
  describePrompts,
  describeResources,
  describeTools,
  contentPieces,
  jsonPiece,
  newBudget,
  resultPieces,
} from '../../../../../main/window/views/describe-mcp.ts';
import type { AnyContent } from '../../../../../main/window/views/describe-mcp.ts';
import { displayBlock, displayJson } from '../../../../../main/window/views/display-json.ts';
import {
  contentViewSchema,
  promptViewSchema,
  resourceViewSchema,
  toolViewSchema,
} from '../../../../../shared/mcp-view.ts';
import type { ContentView } from '../../../../../shared/mcp-view.ts';
import { aPng } from '../../../../support/pictures.ts';
import { format, wave } from '../../../../support/sounds.ts';

const schema = { type: 'object' as const };
const describeContent = (content: readonly AnyContent[]): ContentView[] =>
  contentPieces(content).map(({ view }) => view);

describe('describeTools', () => {
  it('shows names, hints and schema as the contract defines', () => {
    const [tool] = describeTools([
      {
        name: 'add',
        description: 'Adds\na note',
        inputSchema: schema,
        annotations: { title: 'Add', readOnlyHint: false },
      },
    ]);
    expect(toolViewSchema.parse(tool)).toEqual({
      name: 'add',
      title: 'Add',
      description: 'Adds a note',
      inputSchema: schema,
      readOnly: false,
    });
  });

  it('omits a tool whose name cannot be displayed, because that name could not be called (IP-01)', () => {
    const names = ['ok', 'a\u202eb', 'new\nline', ' space', 'x'.repeat(300), ''];
    expect(describeTools(names.map((name) => ({ name, inputSchema: schema }))).map(({ name }) => name)).toEqual(['ok']);
  });
});

describe('describeResources and describePrompts', () => {
  it('shows templates as such', () => {
    const views = describeResources(
      [{ uri: 'note://1', name: 'One' }],
      [{ uriTemplate: 'note://{id}{?lines,from*}', name: 'Any', mimeType: 'text/plain' }],
      parseUriTemplate,
    );
    expect(views.map((view) => resourceViewSchema.parse(view))).toEqual([
      { uri: 'note://1', name: 'One', template: false },
      {
        uri: 'note://{id}{?lines,from*}',
        name: 'Any',
        mimeType: 'text/plain',
        template: true,
        gaps: [
          { name: 'id', required: true },
          { name: 'lines', required: false },
          { name: 'from', required: false },
        ],
      },
    ]);
  });

  it('shows which arguments a prompt requires', () => {
    const [view] = describePrompts([{ name: 'sum', arguments: [{ name: 'day', required: true }, { name: 'tone' }] }]);
    expect(promptViewSchema.parse(view).arguments).toEqual([
      { name: 'day', required: true },
      { name: 'tone', required: false },
    ]);
  });
});

describe('contentPieces', () => {
  it('shows text with its lines, and no data other than pictures', () => {
    const views = describeContent([
      { type: 'text', text: 'a\n  b\u202e' },
      { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' },
      { type: 'resource_link', uri: 'https://a.example/', name: 'A' },
      { type: 'resource', resource: { uri: 'note://1', text: 'inside' } },
      { type: 'resource', resource: { uri: 'note://2', blob: 'aGVsbG8=' } },
      { type: 'unknown' },
    ]);
    expect(views.map((view) => contentViewSchema.parse(view))).toEqual([
      { type: 'text', text: 'a\n  b', cut: false },
      { type: 'binary', kind: 'image', mimeType: 'image/png', size: 6 },
      { type: 'link', uri: 'https://a.example/', name: 'A' },
      { type: 'text', text: 'inside', cut: false },
      { type: 'binary', kind: 'resource', mimeType: '', size: 6 },
      { type: 'json', json: { type: 'unknown' } },
    ]);
  });

  it('IP-25 sends the window only data that can be drawn or played, judged by its bytes', () => {
    const dataOf = (kind: string, bytes: Buffer, mimeType = 'image/png'): string | undefined => {
      const [view] = describeContent([{ type: kind, data: bytes.toString('base64'), mimeType }]);
      return view?.type === 'binary' ? view.data : undefined;
    };
    expect(dataOf('image', aPng(3, 3), 'text/html')).toBeDefined();
    expect(dataOf('resource', aPng(3, 3))).toBeUndefined();
    expect(dataOf('image', aPng(9_000, 3))).toBeUndefined();
    expect(dataOf('image', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml')).toBeUndefined();
    expect(dataOf('image', Buffer.concat([aPng(3, 3), Buffer.alloc(2_097_152)]))).toBeUndefined();
    expect(dataOf('audio', wave(format(1)))).toBeDefined();
    expect(dataOf('audio', aPng(3, 3))).toBeUndefined();
    expect(dataOf('audio', Buffer.concat([wave(format(1)), Buffer.alloc(1_048_576)]))).toBeUndefined();
  });

  it('IP-25 draws no more of a whole result than of one picture, and plays at most eight megabytes', () => {
    const dataCount = (pieces: readonly { readonly view: ContentView }[]): number =>
      pieces.filter(({ view }) => view.type === 'binary' && view.data !== undefined).length;
    const picture = { type: 'image', data: aPng(2_048, 2_048).toString('base64') };
    expect(dataCount(contentPieces(Array.from({ length: 20 }, () => picture)))).toBe(4);
    const budget = newBudget();
    // The messages of a prompt share one budget.
    expect(dataCount(Array.from({ length: 20 }, () => contentPieces([picture], budget)).flat())).toBe(4);
    const sound = Buffer.concat([wave(format(1)), Buffer.alloc(1_000_000)]).toString('base64');
    expect(dataCount(contentPieces(Array.from({ length: 20 }, () => ({ type: 'audio', data: sound }))))).toBe(8);
  });

  it('IP-24 shows the same block of a nested resource that it saves', () => {
    const resource = { type: 'resource', text: 'outer', resource: { text: 'inner' } };
    const [piece] = contentPieces([{ type: 'resource', resource }]);
    expect(piece?.view).toMatchObject({ text: 'outer' });
    expect(piece?.bytes().toString()).toBe('outer');
  });

  it('cuts overlong text, and reports it', () => {
    const [view] = describeContent([{ type: 'text', text: 'x'.repeat(300_000) }]);
    expect(view).toMatchObject({ type: 'text', cut: true });
    expect(view?.type === 'text' && view.text.length).toBe(200_000);
  });
});

describe('resultPieces', () => {
  const json = (value: unknown) => ({ type: 'json', json: value });
  const text = (value: unknown) => ({ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) });
  const data = { issues: [{ id: 'A-1', open: true }] };
  const picture = { type: 'resource_link', uri: 'note://1', name: 'One' };

  it.each([
    ['the text says the same', [text(data)], data, [json(data)]],
    ['the text has other spaces and order', [text('{"b": 1,\n "a": 2}')], { a: 2, b: 1 }, [json({ a: 2, b: 1 })]],
    ['a library wraps a text', [text('# Done')], { result: '# Done' }, [{ type: 'text', text: '# Done', cut: false }]],
    ['a library wraps a list', [text([1, 2])], { result: [1, 2] }, [json([1, 2])]],
    [
      'a library sends one text per item',
      [text({ a: 1 }), text({ a: 2 })],
      { result: [{ a: 1 }, { a: 2 }] },
      [json({ result: [{ a: 1 }, { a: 2 }] })],
    ],
    ['there is no text', [], data, [json(data)]],
  ])('shows structured content once if %s', (_case, content, structure, shown) => {
    expect(resultPieces(content, structure).map(({ view }) => view)).toEqual(shown);
  });

  it('shows structured content after a text that says something else, and keeps other parts', () => {
    const types = resultPieces([text('1 issue'), picture], data).map(({ view }) => view.type);
    expect(types).toEqual(['text', 'link', 'json']);
    expect(resultPieces([picture, text(data)], data).map(({ view }) => view.type)).toEqual(['link', 'json']);
  });

  it('shows structured content instead of a text that would be cut off', () => {
    const long = { rows: Array.from({ length: 30_000 }, (_, index) => `row ${index}`) };
    expect(resultPieces([text(long)], long).map(({ view }) => view)).toMatchObject([
      { type: 'json', cut: { '/rows': 30_000 } },
    ]);
  });
});

describe('jsonPiece', () => {
  const shown = (structure: unknown, budget = newBudget()) =>
    contentViewSchema.parse(jsonPiece(structure, budget).view);

  it('reports how many items there are if it omits some, and that a text is cut', () => {
    const many = Array.from({ length: 700 }, (_, index) => index);
    const wide = Object.fromEntries(many.map((index) => [`n${index}`, index]));
    expect(shown({ few: [1] })).toEqual({ type: 'json', json: { few: [1] } });
    expect(shown({ 'a/b': many, 'c~d': [wide] })).toMatchObject({ cut: { '/a~1b': 700, '/c~0d/0': 700 } });
    expect(shown(many)).toMatchObject({ cut: { '': 700 } });
    expect(shown({ text: 'x'.repeat(5_000) })).toMatchObject({ cut: {} });
    let deep: unknown = 'end';
    for (let level = 0; level < 20; level += 1) deep = { deep };
    expect(shown(deep)).toMatchObject({ cut: {} });
  });

  it.each(['', 'x'.repeat(257), 'a\u200b', '__proto__'])(
    'reports a member omitted because of its name (%j)',
    (name) => {
      const { view } = jsonPiece({ within: JSON.parse(`{"shown":1,${JSON.stringify(name)}:2}`) });
      expect(view).toEqual({ type: 'json', json: { within: { shown: 1 } }, cut: { '/within': 2 } });
    },
  );

  it('IP-25 shows no more values of a whole result than of one piece', () => {
    const rows = Array.from({ length: 400 }, (_, index) => [index, index]);
    const budget = newBudget();
    const text = { type: 'text', text: JSON.stringify(rows) };
    const views = contentPieces(
      Array.from({ length: 30 }, () => text),
      budget,
    ).map(({ view }) => view.type);
    expect(views.filter((type) => type === 'json')).toHaveLength(16);
    expect(views.at(-1)).toBe('text');
    const { view } = jsonPiece(rows, budget);
    expect(JSON.stringify(view).length).toBeLessThan(JSON.stringify(rows).length);
    expect(view).toMatchObject({ cut: {} });
  });
});

describe('displayJson', () => {
  it('keeps plain data, and removes invisible characters from texts and names', () => {
    const value = { a: [1, true, null, 'x\u200by'], 'b\u202e': 1, c: Number.NaN };
    expect(displayJson(value)).toEqual({ a: [1, true, null, 'xy'], c: null });
    expect(displayJson(JSON.parse('{"__proto__":{"x":1}}'))).toEqual({});
  });

  it('limits depth and size', () => {
    let deep: unknown = 'end';
    for (let level = 0; level < 3_000; level += 1) deep = { deep };
    expect(JSON.stringify(displayJson(deep))).toContain('…');
    expect((displayJson(Array.from({ length: 9_999 }, () => 1)) as unknown[]).length).toBe(500);
  });
});

describe('displayBlock', () => {
  it('keeps lines and indentation', () => {
    expect(displayBlock('a\r\n\tb\rc', 100)).toEqual({ text: 'a\n    b\nc', cut: false });
  });
});
