import type { EntryHeader } from '../../apps/entry/read-entry.ts';

/** What `mcp-remote`, the bridge that Postern takes the place of, was told by its arguments. */
export interface McpRemote {
  readonly url: string;
  readonly headers: readonly EntryHeader[];
  /** Some of its headers stand in a file that it reads, and that nobody has read here. */
  readonly hasHeaderFile: boolean;
}

/** `mcp-remote`, `mcp-remote@latest`, `…/.bin/mcp-remote.cmd`, `…/mcp-remote/dist/proxy.js` */
const bridge = /^(?:.*[/\\])?mcp-remote(?:@[^/\\\s]+)?(?:\.cmd|\.ps1|\.exe|[/\\]dist[/\\]proxy\.js)?$/u;
/** Of those flags that take a value, those whose value may be an address. */
const addressFlags = ['--auth-success-url', '--resource', '--client-metadata-url', '--token-endpoint'];

/**
 * The words of an entry as mcp-remote 0.15.1 reads them (`parseCommandLineArgs`): each `--header "Name: value"`
 * wherever it stands, then the address. Whatever starts it (npx, bunx, `pnpm dlx`, node, `cmd /c`) comes before.
 * `--header=…` is taken too, though mcp-remote passes over it: the person meant it. `undefined`: it is another command.
 */
export function unwrapMcpRemote(command: readonly string[]): McpRemote | undefined {
  const words = command.flatMap((word, index) => splitCommandLine(word, command[index - 1], command.length === 1));
  const at = words.findIndex((word) => bridge.test(word));
  if (at < 0) return undefined;
  const headers: EntryHeader[] = [];
  const others: string[] = [];
  let hasHeaderFile = false;
  for (let index = at + 1; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const next = words[index + 1];
    const joined = /^--header(?:-file)?=/u.exec(word)?.[0];
    const isPair = (word === '--header' || word === '--header-file') && next !== undefined;
    if (joined === undefined && !isPair) others.push(word);
    else if ((joined ?? word).startsWith('--header-file')) hasHeaderFile = true;
    else headers.push(...readHeader(joined === undefined ? (next ?? '') : word.slice(joined.length)));
    if (isPair) index += 1;
  }
  const url = others.find(
    (word, index) => /^https?:\/\//iu.test(word) && !addressFlags.includes(others[index - 1] ?? ''),
  );
  return url === undefined ? undefined : { url, headers, hasHeaderFile };
}

function readHeader(line: string): readonly EntryHeader[] {
  const end = line.indexOf(':');
  const name = line.slice(0, end);
  return end > 0 && /^[A-Za-z0-9_-]+$/u.test(name) ? [{ name, value: line.slice(end + 1).trimStart() }] : [];
}

/** A whole command line, alone or for a shell (`cmd /c "npx mcp-remote URL"`), with plain quotes at most. */
function splitCommandLine(word: string, before: string | undefined, isAlone: boolean): readonly string[] {
  if (!isAlone && !/^(?:\/c|-l?c)$/iu.test(before ?? '')) return [word];
  return Array.from(
    word.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/gu),
    ([, ...parts]) => parts.find((part) => part !== undefined) ?? '',
  );
}
