import type { UnusablePart } from '../../../shared/mcp-view.ts';
import { printableLine } from '../text/printable.ts';
import type { Output } from './output.ts';

/** A listing is not all that the server named. */
export function sayCut(output: Output, what: 'tools' | 'resources' | 'prompts'): void {
  output.event('notice', { code: 'list-cut' });
  output.tell(
    `This server names more ${what} than Postern takes, or some that are nested too deeply. They are left out.`,
  );
}

const nouns: Readonly<Record<UnusablePart['list'], string>> = {
  tools: 'tool',
  resources: 'resource',
  resourceTemplates: 'template',
  prompts: 'prompt',
  content: 'part',
  contents: 'part',
  messages: 'message',
  values: 'value',
};
/** Lines about them; `--json` names them all. */
const mostLines = 5;

/** For the last line of `--json`: parts that cannot be used. */
export function unusableField(parts: readonly UnusablePart[]): { readonly unusable?: readonly UnusablePart[] } {
  return parts.length === 0 ? {} : { unusable: parts };
}

/** Says what of a server's list or result cannot be used, and why. */
export function sayUnusable(output: Output, server: string, parts: readonly UnusablePart[]): void {
  for (const part of parts.slice(0, mostLines)) output.tell(`${printableLine(server, 80)}: ${describe(part)}`);
  const more = parts.length - mostLines;
  if (more > 0) output.tell(`${more} more ${more === 1 ? 'part is' : 'parts are'} not valid; --json names them.`);
}

function describe({ list, index, name, member, isKept }: UnusablePart): string {
  const wrong = member === undefined ? 'it is not valid' : `its ${printableLine(member, 128)} is not valid`;
  if (index === undefined)
    return `the list of ${nouns[list]}s is not valid${member === undefined ? '' : ` (${member})`}.`;
  const which = `${nouns[list]} ${index + 1}${name === undefined ? '' : ` (${printableLine(name, 80)})`}`;
  return isKept ? `of ${which}, ${wrong}. Postern uses the rest.` : `${which} is left out, because ${wrong}.`;
}
