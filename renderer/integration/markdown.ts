/** Inline text. */
export type Span =
  | { readonly kind: 'text' | 'code' | 'strong' | 'emphasis'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly url: string };

export type Block =
  | { readonly kind: 'heading' | 'paragraph' | 'quote'; readonly spans: readonly Span[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly (readonly Span[])[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly (readonly Span[])[])[] }
  | { readonly kind: 'rule' };

/** Beyond these limits text is shown raw: `maxLength` in characters, `maxParts` in blocks, items, cells and spans. */
const maxLength = 50_000;
const maxParts = 3_000;

const signs = /^(?:#{1,6} |[-*+] |\d{1,4}[.)] |```|> |\|.+\|\s*$)/mu;
const inlineSigns = /\*\*[^*\n]{1,300}\*\*|`[^`\n]{1,300}`|\]\(https?:\/\//u;

/**
 * Parses text as Markdown if it looks like it. A strict subset of CommonMark: everything else stays text, so server
 * output is never markup and nothing is ever fetched.
 */
export function readMarkdown(text: string): readonly Block[] | undefined {
  if (text.length > maxLength || !(signs.test(text) || inlineSigns.test(text))) return undefined;
  const lines = text.split('\n');
  const blocks: Block[] = [];
  let parts = 0;
  let at = 0;
  const take = (fits: (line: string) => boolean): string[] => {
    const from = at;
    while (at < lines.length && fits(lines[at] ?? '')) at += 1;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const [from, before] = [at, blocks.length];
    const line = lines[at] ?? '';
    const heading = /^#{1,6} +(.+)$/u.exec(line);
    const item = /^\s*(?:[-*+]|(\d{1,4})[.)]) +/u.exec(line);
    if (line.trim() === '') at += 1;
    else if (line.trimStart().startsWith('```')) {
      at += 1;
      const code = take((next) => !next.trimStart().startsWith('```'));
      at += 1;
      blocks.push({ kind: 'code', text: code.join('\n') });
    } else if (heading) {
      at += 1;
      blocks.push({ kind: 'heading', spans: readSpans(heading[1] ?? '') });
    } else if (/^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/u.test(line)) {
      at += 1;
      blocks.push({ kind: 'rule' });
    } else if (item)
      blocks.push(
        readList(
          take((next) => next.trim() !== '' && !isOther(next)),
          item[1] !== undefined,
        ),
      );
    else if (line.startsWith('>')) {
      const quoted = take((next) => next.startsWith('>'));
      blocks.push({ kind: 'quote', spans: readSpans(quoted.map((next) => next.replace(/^> ?/u, '')).join('\n')) });
    } else if (isRow(line)) blocks.push(readTable(take(isRow)));
    else {
      // Always consume a line, or the loop would not end.
      at += 1;
      blocks.push({ kind: 'paragraph', spans: readSpans([line, ...take(isPlain)].join('\n')) });
    }
    parts += blocks.slice(before).reduce((sum, block) => sum + countParts(block), 0);
    if (parts > maxParts) return [...blocks.slice(0, before), { kind: 'code', text: lines.slice(from).join('\n') }];
  }
  return blocks;
}

function countParts(block: Block): number {
  const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 1);
  if (block.kind === 'list') return sum(block.items.map((item) => item.length + 1));
  if (block.kind === 'table') return sum(block.rows.map((row) => sum(row.map((cell) => cell.length + 1))));
  return block.kind === 'code' || block.kind === 'rule' ? 1 : block.spans.length + 1;
}

const isRow = (line: string): boolean => /^\s*\|.+\|\s*$/u.test(line);
/** Starts a block that neither is a list item nor continues one. */
const isOther = (line: string): boolean => /^(?:#{1,6} |```|>)/u.test(line) || isRow(line);
const isPlain = (line: string): boolean =>
  line.trim() !== '' &&
  !isOther(line) &&
  !line.trimStart().startsWith('```') &&
  !/^\s*(?:[-*+]|\d{1,4}[.)]) +/u.test(line);

function readList(lines: readonly string[], ordered: boolean): Block {
  const items: string[] = [];
  for (const line of lines) {
    const [, rest] = /^\s*(?:[-*+]|\d{1,4}[.)]) +(.*)$/u.exec(line) ?? [];
    if (rest === undefined) items[items.length - 1] += `\n${line.trim()}`;
    else items.push(rest);
  }
  return { kind: 'list', ordered, items: items.map(readSpans) };
}

function readTable(lines: readonly string[]): Block {
  const cells = lines.map((line) =>
    line
      .trim()
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
  const rows = cells.filter((row) => !row.every((cell) => /^:?-+:?$/u.test(cell)));
  return { kind: 'table', rows: rows.map((row) => row.map(readSpans)) };
}

// Every part is bounded, so that a text full of brackets cannot hang the page (ReDoS).
const inline =
  /`(?<code>[^`\n]{1,300})`|\*\*(?<strong>[^*\n]{1,300})\*\*|\*(?<emphasis>[^*\s][^*\n]{0,200})\*|!?\[(?<label>[^\][\n]{0,300})\]\((?<url>https?:\/\/[^\s()]{1,1000})\)|(?<bare>https?:\/\/[^\s<>()[\]"'`|]{1,1000})/gu;

export function readSpans(text: string): readonly Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const found of text.matchAll(inline)) {
    if (found.index > from) spans.push({ kind: 'text', text: text.slice(from, found.index) });
    from = found.index + found[0].length;
    const { code, strong, emphasis, label, url, bare } = found.groups ?? {};
    if (code !== undefined) spans.push({ kind: 'code', text: code });
    else if (strong !== undefined) spans.push({ kind: 'strong', text: strong });
    else if (emphasis !== undefined) spans.push({ kind: 'emphasis', text: emphasis });
    else if (url !== undefined) spans.push({ kind: 'link', text: label ?? '', url });
    else if (bare !== undefined) {
      const address = bare.replace(/[.,;:!?]+$/u, '');
      spans.push({ kind: 'link', text: '', url: address });
      from -= bare.length - address.length;
    }
  }
  if (from < text.length) spans.push({ kind: 'text', text: text.slice(from) });
  return spans;
}

/**
 * Target of a link in a result, as the browser parses it: lookalike letters in a host appear as punycode. `undefined`
 * unless http or https.
 */
export function outsideAddress(url: string): { readonly href: string; readonly host: string } | undefined {
  try {
    const { protocol, host, href } = new URL(url);
    return protocol === 'https:' || protocol === 'http:' ? { href, host } : undefined;
  } catch {
    return undefined;
  }
}
