import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface OpenGateway {
  /** Connects a server; its name is its alias. */
  connect(url: string, alias: string): Promise<void>;
  /** The command by which a program uses it. */
  pipeTo(alias: string): readonly string[];
  close(): Promise<void>;
}

const root = join(import.meta.dirname, '../..');
const program = [process.execPath, join(root, 'bin/postern.js')];

/** `postern serve` on a profile of its own. */
export async function openGateway(): Promise<OpenGateway> {
  const home = mkdtempSync(join(tmpdir(), 'postern-suite-'));
  const start = (...words: readonly string[]) => {
    const [file = '', ...rest] = [...program, ...words];
    return spawn(file, rest, { env: { ...process.env, POSTERN_HOME: home }, stdio: ['ignore', 'pipe', 'inherit'] });
  };
  const gateway = start('serve', '--allow-unknown', '--json');
  const ended = once(gateway, 'exit');
  const lines = createInterface({ input: gateway.stdout })[Symbol.asyncIterator]();
  const { value: first } = await lines.next();
  if (!String(first).includes('"serving"')) throw new Error(`the gateway did not start: ${first}`);
  gateway.stdout.resume();
  return {
    async connect(url, alias) {
      const connecting = start('connect', url, '--local', '--name', alias, '--json');
      connecting.stdout.resume();
      const [code] = (await once(connecting, 'exit')) as [number | null];
      if (code !== 0) throw new Error(`${alias} could not be connected`);
    },
    pipeTo: (alias) => [...program, 'proxy', '--profile-folder', home, alias],
    async close() {
      gateway.kill('SIGTERM');
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}
