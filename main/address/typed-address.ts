import { advise } from '../../shared/error-catalog/catalog-entry.ts';
import { PosternError } from '../errors/postern-error.ts';
import { urlLength } from '../limits.ts';
import { displayText } from './display-text.ts';
import { parseInput } from './parse-address.ts';

/**
 * Parses a server address from the user. Errors: URL_COMMAND, URL_INVALID for an unfilled placeholder, those of
 * `parseInput`.
 */
export function parseTypedAddress(text: string): URL {
  refusePastedCommand([text]);
  const placeholder = findPlaceholder(text);
  if (placeholder === undefined) return parseInput(text);
  throw new PosternError('URL_INVALID', {
    stage: 'address',
    blame: 'input',
    detail: { part: displayText(placeholder, 80) },
    remedy: advise('correct-address', 'replacePlaceholder'),
  });
}

/** Template placeholders, and names that documentation uses for the user's values. */
const placeholderPatterns = [
  /\$\{[^{}]{1,200}\}/u,
  /\{{1,2}[\w .:*?&/+-]{1,100}\}{1,2}/u,
  /<[\w .:-]{1,100}>/u,
  /\b(?:YOUR|INSERT|REPLACE|ENTER)(?:[_-][A-Z0-9]+)+/u,
  /\byour[_-]?(?:api|access|auth|secret)[_-]?(?:key|token)\b/iu,
  /\bCHANGE_?ME\b/u,
  /\b[A-Z]+(?:_[A-Z]+){0,8}_HERE\b/u,
  /(?<=[=/])\$[A-Z][A-Z0-9_]+(?=$|[&/#])/u,
];

/** The placeholder in an address, such as `{tenant}`; `undefined` if there is none. */
export function findPlaceholder(address: string): string | undefined {
  if (address.length > urlLength.received) return undefined;
  for (const pattern of placeholderPatterns) {
    const match = pattern.exec(address);
    if (match) return match[0];
  }
  return undefined;
}

/** Placeholder for a key in templates and documentation, alone or after a scheme such as `Bearer`. */
const placeholderValue =
  /^(?:(?:Bearer|Basic|Token|ApiKey)\s+)?(?:\$\{[^{}]{1,200}\}|\{\{[^{}]{1,100}\}\}|\{[A-Za-z_][\w .:-]{0,100}\}|\{file:[^{}]{1,200}\}|<[^<>]{1,100}>|\$[A-Za-z_]\w{0,100}|(?:YOUR|INSERT|REPLACE|ENTER)(?:[_-][A-Z0-9]+)+|your[_-]?(?:api|access|auth|client|secret)[_-]?(?:key|token|id|secret)|\w{0,100}_?CHANGE_?ME|\w{1,100}_HERE)$/u;

/** True if the whole value is a placeholder: a real secret may contain any of these parts. */
export function isPlaceholderValue(value: string): boolean {
  return placeholderValue.test(value.trim());
}

/** A command word with a placeholder value: `<KEY>`, `--key=<KEY>`, `Authorization: Bearer ${KEY}`. */
export function findPlaceholderWord(words: readonly string[]): string | undefined {
  return words.find((word) => isPlaceholderValue(word) || isPlaceholderValue(word.replace(/^[^=:]{1,200}[=:]/u, '')));
}

/** What was pasted instead of an address. `bridge`: `mcp-remote`, which connects to a remote server. */
type PastedText =
  | { readonly kind: 'local' }
  | { readonly kind: 'bridge' | 'configuration'; readonly address: string }
  | { readonly kind: 'configuration' };

/** Programs that MCP server configurations start. */
const launchers: ReadonlySet<string> = new Set(
  'npx npm pnpm yarn bun bunx node deno uv uvx pipx python python3 py docker podman cmd powershell bash sh'.split(' '),
);
const pathPrefix = /^(?:\.{0,2}[/\\]|~[/\\]|[a-z]:[/\\]|file:)/iu;
/** File extensions that are not top-level domains. */
const executableExtension = /\.(?:[cm]?js|exe|bat|cmd|jar)$/iu;
const mcpRemote = /^(?:.*[/\\])?mcp-remote(?:@[\w.-]+)?$/u;
const maxAddressLength = 400;
/** Characters of a paste that are read. */
const maxPasteLength = 65_536;

/**
 * Refuses what users copy from a server's instructions instead of its address: the command or path that starts it on
 * this computer, or a piece of configuration. `words`: as split by a shell, or all in one. `local`: the user said that
 * the server is on their computer or network; the suggested command says so too.
 * Errors: URL_COMMAND, with the address it contains, if there is one that can be shown.
 */
export function refusePastedCommand(words: readonly string[], { local = false } = {}): void {
  const pasted = readPastedText(words.join(' ').slice(0, maxPasteLength).trim());
  if (!pasted) return;
  const address = 'address' in pasted ? pasted.address : undefined;
  throw new PosternError('URL_COMMAND', {
    stage: 'address',
    detail: pasted,
    remedy: { kind: 'give-address', starts: pasted.kind === 'local', address, local },
  });
}

function readPastedText(text: string): PastedText | undefined {
  if (/^[{["]/u.test(text)) return readConfiguration(text);
  const [first = '', ...rest] = text.split(/\s+/u);
  const name = first
    .replace(/^.*[/\\]/u, '')
    .replace(executableExtension, '')
    .toLowerCase();
  if (/^https?:/iu.test(first)) return undefined;
  if (!pathPrefix.test(first) && !executableExtension.test(first) && !launchers.has(name)) return undefined;
  const at = [first, ...rest].findIndex((word) => mcpRemote.test(word));
  const address = at < 0 ? undefined : rest.slice(at).find(isPlainAddress);
  return address === undefined ? { kind: 'local' } : { kind: 'bridge', address };
}

function readConfiguration(text: string): PastedText {
  const strings = [...text.matchAll(/"([^"\\]{1,2048})"/gu)].flatMap(([, value]) => value ?? []);
  const addresses = strings.filter((value, index) => isPlainAddress(value) && isAddressKey(strings[index - 1] ?? ''));
  const [address, ...others] = addresses;
  if (address !== undefined && others.length === 0) return { kind: 'configuration', address };
  return addresses.length === 0 && strings.includes('command') ? { kind: 'local' } : { kind: 'configuration' };
}

/** True if the string after this one is a server address, not one in a header or setting. */
function isAddressKey(precedingString: string): boolean {
  return ['url', 'serverUrl', 'httpUrl'].includes(precedingString) || mcpRemote.test(precedingString);
}

/** Safe to show and to type; a query may contain a key. */
function isPlainAddress(text: string): boolean {
  return /^https?:\/\/[\w.:/-]+$/iu.test(text) && text.length <= maxAddressLength && URL.canParse(text);
}
