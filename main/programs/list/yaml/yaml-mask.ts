import { parseDocument, visit } from 'yaml';
import { blank, type Masked, maskAll, type ShowValue } from '../mask.ts';

/** The text with its keys, and of its values what `show` says. Comments are somebody's too. */
export function maskYaml(text: string, show: ShowValue): string {
  const pieces: Masked[] = [];
  visit(parseDocument(text, { prettyErrors: false, uniqueKeys: false }), {
    Scalar(key, { value, range }) {
      if (key === 'key' || !range || range[0] === range[1] || typeof value === 'boolean') return;
      const [from, to] = range;
      const shown = show(String(value));
      const written = text.slice(from, to);
      if (shown === undefined) pieces.push({ from, to, by: blank(written) });
      else if (shown !== value && typeof value === 'string') pieces.push({ from, to, by: JSON.stringify(shown) });
    },
  });
  return maskAll(text, pieces).replaceAll(/(^|\s)#[^\r\n]*/g, '$1# …');
}
