import { advise } from '../../shared/error-catalogue/catalogue-entry.ts';
import { PosternError } from '../errors/postern-error.ts';
import { urlLength } from '../limits.ts';
import { displayText } from './display-text.ts';
import { parseInput } from './parse-address.ts';

/**
 * The address of a server as a person gave it. Errors: URL_COMMAND, URL_INVALID for one with a part that is to be filled
 * in, those of `parseInput`.
 */
export function parseTypedAddress(text: string): URL {
  refusePastedCommand([text]);
  const part = partToFillIn(text);
  if (part === undefined) return parseInput(text);
  throw new PosternError('URL_INVALID', {
    stage: 'address',
    blame: 'input',
    detail: { part: displayText(part, 80) },
    remedy: advise('correct-address', 'replacePlaceholder'),
  });
}

/** Gaps of templates, and names that documentation writes for a value of the user's. */
const gaps = [
  /\$\{[^{}]{1,200}\}/u,
  /\{{1,2}[\w .:*?&/+-]{1,100}\}{1,2}/u,
  /<[\w .:-]{1,100}>/u,
  /\b(?:YOUR|INSERT|REPLACE|ENTER)(?:[_-][A-Z0-9]+)+/u,
  /\byour[_-]?(?:api|access|auth|secret)[_-]?(?:key|token)\b/iu,
  /\bCHANGE_?ME\b/u,
  /\b[A-Z]+(?:_[A-Z]+){0,8}_HERE\b/u,
  /(?<=[=/])\$[A-Z][A-Z0-9_]+(?=$|[&/#])/u,
];

/** What of an address a template leaves to the user, such as `{tenant}`; `undefined`: nothing. */
export function partToFillIn(address: string): string | undefined {
  if (address.length > urlLength.received) return undefined;
  for (const gap of gaps) {
    const found = gap.exec(address);
    if (found) return found[0];
  }
  return undefined;
}

/** What a template or documentation writes in the place of a key, alone or after a scheme such as `Bearer`. */
const placeholder =
  /^(?:(?:Bearer|Basic|Token|ApiKey)\s+)?(?:\$\{[^{}]{1,200}\}|\{\{[^{}]{1,100}\}\}|\{[A-Za-z_][\w .:-]{0,100}\}|\{file:[^{}]{1,200}\}|<[^<>]{1,100}>|\$[A-Za-z_]\w{0,100}|(?:YOUR|INSERT|REPLACE|ENTER)(?:[_-][A-Z0-9]+)+|your[_-]?(?:api|access|auth|client|secret)[_-]?(?:key|token|id|secret)|\w{0,100}_?CHANGE_?ME|\w{1,100}_HERE)$/u;

/** Whether a value is for the user to fill in. Of the whole value: a real secret may hold any of these letters. */
export function isToFillIn(value: string): boolean {
  return placeholder.test(value.trim());
}

/** A word of a command whose value is to be filled in: `<KEY>`, `--key=<KEY>`, `Authorization: Bearer ${KEY}`. */
export function wordToFillIn(words: readonly string[]): string | undefined {
  return words.find((word) => isToFillIn(word) || isToFillIn(word.replace(/^[^=:]{1,200}[=:]/u, '')));
}

/** What stands where an address belongs: `bridge` is `mcp-remote`, which leads to a server on the web. */
type Pasted =
  | { readonly kind: 'local' }
  | { readonly kind: 'bridge' | 'configuration'; readonly address: string }
  | { readonly kind: 'configuration' };

/** Programs that configurations of MCP servers start. */
const launchers: ReadonlySet<string> = new Set(
  'npx npm pnpm yarn bun bunx node deno uv uvx pipx python python3 py docker podman cmd powershell bash sh'.split(' '),
);
const startOfPath = /^(?:\.{0,2}[/\\]|~[/\\]|[a-z]:[/\\]|file:)/iu;
/** Ends of file names that are no domain of the first level. */
const program = /\.(?:[cm]?js|exe|bat|cmd|jar)$/iu;
const bridge = /^(?:.*[/\\])?mcp-remote(?:@[\w.-]+)?$/u;
const longestAddress = 400;
/** Of a paste that is looked at. */
const longestText = 65_536;

/**
 * Refuses what people copy from the instructions of a server in place of its address: the command or path that would
 * start one on this computer, or a piece of a configuration. `words`: as a shell has split them, or all in one.
 * `local`: the person said that the server runs on their own computer or network; the address is then given with that.
 * Errors: URL_COMMAND, with the address that it leads to where there is one and it can be shown.
 */
export function refusePastedCommand(words: readonly string[], { local = false } = {}): void {
  const pasted = readPasted(words.join(' ').slice(0, longestText).trim());
  if (!pasted) return;
  const address = 'address' in pasted ? pasted.address : undefined;
  throw new PosternError('URL_COMMAND', {
    stage: 'address',
    detail: pasted,
    remedy: { kind: 'give-address', starts: pasted.kind === 'local', address, local },
  });
}

function readPasted(text: string): Pasted | undefined {
  if (/^[{["]/u.test(text)) return readConfiguration(text);
  const [first = '', ...rest] = text.split(/\s+/u);
  const name = first
    .replace(/^.*[/\\]/u, '')
    .replace(program, '')
    .toLowerCase();
  if (/^https?:/iu.test(first)) return undefined;
  if (!startOfPath.test(first) && !program.test(first) && !launchers.has(name)) return undefined;
  const at = [first, ...rest].findIndex((word) => bridge.test(word));
  const address = at < 0 ? undefined : rest.slice(at).find(isShown);
  return address === undefined ? { kind: 'local' } : { kind: 'bridge', address };
}

function readConfiguration(text: string): Pasted {
  const texts = [...text.matchAll(/"([^"\\]{1,2048})"/gu)].flatMap(([, value]) => value ?? []);
  const addresses = texts.filter((value, index) => isShown(value) && leadsTo(texts[index - 1] ?? ''));
  const [address, ...others] = addresses;
  if (address !== undefined && others.length === 0) return { kind: 'configuration', address };
  return addresses.length === 0 && texts.includes('command') ? { kind: 'local' } : { kind: 'configuration' };
}

/** What stands before an address of a server, rather than one of a header or a setting. */
function leadsTo(before: string): boolean {
  return ['url', 'serverUrl', 'httpUrl'].includes(before) || bridge.test(before);
}

/** Fit to be typed as shown; a query may hold a key. */
function isShown(text: string): boolean {
  return /^https?:\/\/[\w.:/-]+$/iu.test(text) && text.length <= longestAddress && URL.canParse(text);
}
