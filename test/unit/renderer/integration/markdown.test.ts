import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { readMarkdown, readSpans } from '../../../../renderer/integration/markdown.ts';

describe('readMarkdown', () => {
  it('parses typical tool output', () => {
    const text = [
      '# Found',
      '',
      'Two **open** issues:',
      '',
      '- `PLA-1`',
      '- *PLA-2*',
      '',
      '```',
      '# not',
      '```',
      '',
      '> said',
      '',
      '| a | b |',
      '|---|---|',
      '| 1 | 2 |',
      '---',
    ];
    expect(readMarkdown(text.join('\n'))?.map(({ kind }) => kind)).toEqual([
      'heading',
      'paragraph',
      'list',
      'code',
      'quote',
      'table',
      'rule',
    ]);
  });

  it('leaves plain text and overlong text unchanged', () => {
    expect(readMarkdown('You are Demo User.\nThis connection may use: notes')).toBeUndefined();
    expect(readMarkdown(`# ${'x'.repeat(50_000)}`)).toBeUndefined();
  });

  it('IP-24 renders no HTML, and links only web addresses', () => {
    const text = '# <script>alert(1)</script>\n![x](https://evil.example/p.png) [y](javascript:alert(1)) <img src=x>';
    const [heading, paragraph] = readMarkdown(text) ?? [];
    expect(heading).toEqual({ kind: 'heading', spans: [{ kind: 'text', text: '<script>alert(1)</script>' }] });
    const spans = paragraph?.kind === 'paragraph' ? paragraph.spans : [];
    expect(spans.filter(({ kind }) => kind === 'link')).toEqual([
      { kind: 'link', text: 'x', url: 'https://evil.example/p.png' },
    ]);
    expect(spans.at(-1)).toEqual({ kind: 'text', text: ' [y](javascript:alert(1)) <img src=x>' });
  });

  it('IP-24 stays fast, whatever a text repeats', () => {
    for (const part of [
      '[',
      '*',
      '**a',
      '`',
      '![](',
      '[a](https://',
      '|',
      '> ',
      '- ',
      '#',
      '1. ',
      'https://',
      '\n|a|\n',
    ]) {
      const text = `# x\n${part.repeat(Math.floor(40_000 / part.length))}`;
      const before = process.cpuUsage();
      readMarkdown(text);
      expect(process.cpuUsage(before).user, part).toBeLessThan(2_000_000);
    }
  });

  it('IP-24 shows everything after some thousand parts as text, without losing any', () => {
    for (const part of ['- a\n', '|a|\n', `|${'a|'.repeat(500)}\n`, '`a` ', '---\n', '> `a`\n', '# a\n']) {
      const text = `# x\n\n${part.repeat(Math.floor(40_000 / part.length))}`;
      const blocks = readMarkdown(text) ?? [];
      const rest = blocks.at(-1);
      expect(JSON.stringify(blocks).split('"kind"').length, part).toBeLessThan(4_000);
      expect(rest?.kind === 'code' && text.endsWith(rest.text), part).toBe(true);
    }
  });

  test.prop([
    fc.array(
      fc.constantFrom('#', ' ', '-', '\n', '|', '`', '```', '>', '1.', 'a', '*', '[', ']', '(https://a.b)', '---'),
    ),
  ])('parses any text completely', (parts) => {
    expect(() => readMarkdown(`# x\n${parts.join('')}`)).not.toThrow();
  });

  it('continues after what looks like a heading and is not', () => {
    expect(readMarkdown('# a\n# \n>\n- \n#')?.map(({ kind }) => kind)).toEqual([
      'heading',
      'paragraph',
      'quote',
      'list',
    ]);
  });

  it('finds addresses in a line, without the period after them', () => {
    expect(readSpans('See https://a.example/x?y=1. And (https://b.example).')).toEqual([
      { kind: 'text', text: 'See ' },
      { kind: 'link', text: '', url: 'https://a.example/x?y=1' },
      { kind: 'text', text: '. And (' },
      { kind: 'link', text: '', url: 'https://b.example' },
      { kind: 'text', text: ').' },
    ]);
  });
});
