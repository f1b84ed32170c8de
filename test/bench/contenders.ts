import path from 'node:path';
import { bundleForNode } from '../../scripts/build.ts';
import { NotMeasured, runMeasured } from './measured-process.ts';
import type { ProcessRun } from './measured-process.ts';

/** One way to get from nothing, or from stored tokens, to a server's tool list. */
export interface Contender {
  readonly name: string;
  /** `home`: its own folder; a stored run finds what a full run left there. */
  run(kind: 'full' | 'stored', url: string, home: string, watchMemory?: boolean): Promise<ContenderRun>;
}

export interface ContenderRun extends Pick<ProcessRun, 'milliseconds' | 'peak'> {
  /** Milliseconds after its own imports, if it can report them. */
  readonly inside: number | undefined;
}

const root = path.join(import.meta.dirname, '../..');
const node = process.execPath;
const here = (name: string): string => path.join(import.meta.dirname, name);

/** The user's browser, in this process: follows redirects up to the callback page. */
function browse(url: string): void {
  fetch(url, { redirect: 'manual' })
    .then((response) => fetch(response.headers.get('location') ?? ''))
    .then((page) => page.text())
    .catch(() => {});
}

/** Reads JSON lines: an authorization event, and finally a result with `tools`. */
export function watchEvents(line: string): boolean {
  if (!line.startsWith('{')) return false;
  const event = JSON.parse(line) as { event?: string; url?: string; tools?: unknown; result?: string };
  if (event.event === 'authorization' && event.url !== undefined) browse(event.url);
  if (event.result === 'error') throw new NotMeasured('it reported an error', [line]);
  return event.tools !== undefined;
}

function insideOf({ response }: ProcessRun): number | undefined {
  return (JSON.parse(response) as { milliseconds?: number }).milliseconds;
}

/** The command as users run it. `launcher` is what npx starts on a machine with an older Node. */
export function createCommandLine(name: string, command: readonly string[]): Contender {
  return {
    name,
    async run(kind, url, home, watchMemory = false) {
      const words =
        kind === 'full' ? ['connect', url, '--local', '--name', 'Bench', '--sign-in', 'print'] : ['tools', 'Bench'];
      const run = await runMeasured({
        command: [...command, ...words, '--json'],
        env: { POSTERN_HOME: home },
        onLine: watchEvents,
        watchMemory,
      });
      return { ...run, inside: undefined };
    },
  };
}

export const postern = createCommandLine('postern', [node, path.join(root, 'bin/postern.js')]);

export function launchedBy(olderNode: string): Contender {
  return createCommandLine('postern, started by an older node', [olderNode, path.join(root, 'bin/postern.js')]);
}

/** Only Postern's engine, bundled into `folder` like the command line. */
export async function buildEngine(folder: string): Promise<Contender> {
  await bundleForNode(folder, { engine: here('engine-app.ts') });
  const childPath = path.join(root, 'dist/cli/keychain-child.js');
  return {
    name: "postern's engine",
    async run(kind, url, home, watchMemory = false) {
      const command = [node, path.join(folder, 'engine.js'), childPath, url, ...(kind === 'stored' ? ['stored'] : [])];
      const run = await runMeasured({ command, env: { POSTERN_HOME: home }, onLine: watchEvents, watchMemory });
      return { ...run, inside: insideOf(run) };
    },
  };
}

export const officialClient: Contender = {
  name: 'official client',
  async run(kind, url, home, watchMemory = false) {
    const file = path.join(home, 'official-client.json');
    const command = [node, here('sdk-app.ts'), url, file, ...(kind === 'stored' ? ['stored'] : [])];
    const run = await runMeasured({ command, onLine: watchEvents, watchMemory });
    return { ...run, inside: insideOf(run) };
  },
};

const clientInfo = { name: 'bench', version: '1' };
const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };

export const mcpRemote: Contender = {
  name: 'mcp-remote',
  async run(_kind, url, home, watchMemory = false) {
    const send = (type: (text: string) => void, message: object): void =>
      type(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const run = await runMeasured({
      command: [node, path.join(root, 'node_modules/mcp-remote/dist/proxy.js'), url],
      // This process is its browser; a real one must not open.
      env: { MCP_REMOTE_CONFIG_DIR: home, BROWSER: 'true', PATH: here('no-browser') },
      stdin: `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize })}\n`,
      onLine: (line, type) => {
        const page = /https?:\/\/\S+\/authorize\?\S+/.exec(line)?.[0];
        if (page !== undefined) browse(page);
        if (!line.startsWith('{')) return false;
        const { id } = JSON.parse(line) as { id?: number };
        if (id === 1) {
          send(type, { method: 'notifications/initialized' });
          send(type, { id: 2, method: 'tools/list' });
        }
        return id === 2;
      },
      watchMemory,
    });
    return { ...run, inside: undefined };
  },
};
