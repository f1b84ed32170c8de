import { blank, type Masked, maskAll, type ShowValue } from '../mask.ts';

/** A string, a comment of either kind, or a number. */
const part = /"(?:[^"\\]|\\.)*"|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|-?\d[\d.eE+-]*/g;
const colon = /(?:\s|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*:/y;

/** The text, which is valid, with its keys, and of its values what `show` says. Comments are somebody's too. */
export function maskJson(text: string, show: ShowValue): string {
  const pieces = [...text.matchAll(part)].flatMap(({ 0: written, index: from }): readonly Masked[] => {
    const to = from + written.length;
    if (written.startsWith('/')) return [{ from, to, by: `${written.slice(0, 2)} ${blank(written)}` }];
    if (!written.startsWith('"')) return [{ from, to, by: show(written) ?? blank(written) }];
    colon.lastIndex = to;
    if (colon.test(text)) return [];
    const value = JSON.parse(written) as string;
    const shown = show(value);
    return shown === value ? [] : [{ from, to, by: JSON.stringify(shown ?? blank('')) }];
  });
  return maskAll(text, pieces);
}
