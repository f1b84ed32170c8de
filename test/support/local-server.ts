import { fileURLToPath } from 'node:url';
import { connectLocal } from '../../main/engine/connect/connect-local.ts';
import type { LocalValues } from '../../main/engine/records/local-consent.ts';
import type { Integration } from '../../shared/integration.ts';
import type { LocalCommand } from '../../shared/local-command.ts';
import { afterTest } from './after-test.ts';
import type { TestEngine } from './test-engine.ts';

const script = fileURLToPath(new URL('stdio-server.ts', import.meta.url));

/** Command words for a server with the official SDK, which appends its process ID to `file`. */
export function sdkServerWords(file?: string): readonly string[] {
  return [script, ...(file === undefined ? [] : [file])];
}

/** A command that runs this Node. */
export function nodeCommand(words: readonly string[], change: Partial<LocalCommand> = {}): LocalCommand {
  const command = { command: 'node', path: process.execPath, arguments: [...words], variables: [] };
  return { ...command, ...change };
}

/** Connects a local server with the user's consent; its processes end with the test. */
export async function connectCommand(
  { ports }: Pick<TestEngine, 'ports'>,
  command: LocalCommand,
  { name = 'Here', values = {} }: { readonly name?: string; readonly values?: LocalValues } = {},
): Promise<Integration> {
  afterTest(() => ports.local.close());
  const request = { id: crypto.randomUUID(), name, command, values, existing: undefined };
  return (await connectLocal(ports, request, new AbortController().signal)).integration;
}

/**
 * A minimal server, for behavior that no library has. `on` maps a method to the source of a function from the message
 * to the result.
 */
export function scriptWords(on: Readonly<Record<string, string>>, beginning = ''): readonly string[] {
  const tools = `[{ name: 'act', inputSchema: { type: 'object' } }]`;
  const usual = {
    initialize: `(m) => ({ protocolVersion: m.params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } })`,
    'tools/list': `() => ({ tools: ${tools} })`,
    'tools/call': `() => ({ content: [{ type: 'text', text: 'done' }] })`,
    ...on,
  };
  const table = Object.entries(usual).map(([method, act]) => `${JSON.stringify(method)}: ${act}`);
  return [
    '-e',
    `${beginning};
    const on = { ${table.join(', ')} };
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const m = JSON.parse(line);
      if (m.id === undefined) return;
      const act = on[m.method];
      const said = act ? { result: act(m) } : { error: { code: -32601, message: 'no' } };
      if (said.result !== null) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: m.id, ...said }) + '\\n');
    });`,
  ];
}
