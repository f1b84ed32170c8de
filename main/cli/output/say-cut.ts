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

/** Parts of what a server listed or answered that cannot be used, as a command tells them. */
export class UnusableParts {
  readonly #parts: UnusablePart[] = [];

  readonly add = (parts: readonly UnusablePart[]): void => void this.#parts.push(...parts);

  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  /** For the last line of `--json`. */
  get field(): { readonly unusable?: readonly UnusablePart[] } {
    return this.isEmpty ? {} : { unusable: this.#parts };
  }

  /** Says of which server it is, and what is wrong. */
  say(output: Output, server: string): void {
    for (const part of this.#parts.slice(0, mostLines)) output.tell(`${printableLine(server, 80)}: ${describe(part)}`);
    const more = this.#parts.length - mostLines;
    if (more > 0) output.tell(`${more} more ${more === 1 ? 'part is' : 'parts are'} not valid; --json names them.`);
  }
}

function describe({ list, index, name, member, isKept }: UnusablePart): string {
  const wrong = member === undefined ? 'it is not valid' : `its ${printableLine(member, 128)} is not valid`;
  if (index === undefined)
    return `the list of ${nouns[list]}s is not valid${member === undefined ? '' : ` (${member})`}.`;
  const which = `${nouns[list]} ${index + 1}${name === undefined ? '' : ` (${printableLine(name, 80)})`}`;
  return isKept ? `of ${which}, ${wrong}. Postern uses the rest.` : `${which} is left out, because ${wrong}.`;
}
