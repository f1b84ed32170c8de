import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EnginePorts } from '../../main/engine/engine-ports.ts';
import { replaceFile } from '../../main/storage/files/replace-file.ts';
import { openProfileEngine } from './profile-engine.ts';
import type { ProfileEngine } from './profile-engine.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A moment at which the engine waits for I/O, and what a crash there would leave. */
export interface CrashPoint<Remote> {
  readonly name: string;
  /** A copy of the profile. */
  readonly folder: string;
  readonly remote: Remote;
}

/**
 * Records what a crash would leave, once for each state that differs from the one before. A killed process leaves its
 * files as they are, and its locks end: a copy without locks is the same, and no process has to be started for each.
 * (`storage/several-processes.test.ts` and the soak test kill real ones.) `remote` returns a copy of the server's state.
 */
export class CrashPoints<Remote> {
  readonly points: CrashPoint<Remote>[] = [];
  readonly #folder: string;
  readonly #remote: () => Remote;
  #last: string | undefined;

  constructor(folder: string, remote: () => Remote) {
    this.#folder = folder;
    this.#remote = remote;
  }

  pass(name: string): void {
    const remote = this.#remote();
    const state = digestOf(this.#folder, remote);
    if (state === this.#last) return;
    this.#last = state;
    const folder = temporaryFolder();
    cpSync(this.#folder, folder, { recursive: true, filter: (file) => !isLock(file) });
    this.points.push({ name, folder, remote });
  }

  /** File replacement for the vault, with a point before every step that changes the disk. */
  readonly replace = (file: string, bytes: Uint8Array): Promise<void> =>
    replaceFile(file, bytes, (step) => this.pass(`vault file ${step}`));

  /** The engine on the profile, with a point before and after each port call. */
  openEngine(): ProfileEngine {
    const beforeStep = (step: string): void => this.pass(`replace ${step}`);
    const engine = openProfileEngine(this.#folder, { replace: this.replace, beforeStep });
    return { ...engine, ports: this.#around(engine.ports) };
  }

  #around(ports: EnginePorts): EnginePorts {
    const around = <Target extends object>(name: string, target: Target): Target =>
      new Proxy(target, {
        get: (real, property) => {
          const value: unknown = Reflect.get(real, property);
          if (typeof value !== 'function') return value;
          return async (...args: unknown[]) => {
            this.pass(`before ${name}.${String(property)}`);
            const result: unknown = await Reflect.apply(value, real, args);
            this.pass(`after ${name}.${String(property)}`);
            return result;
          };
        },
      });
    return {
      ...ports,
      http: around('http', ports.http),
      store: around('store', ports.store),
      leases: around('leases', ports.leases),
      vault: async () => around('vault', await ports.vault()),
    };
  }
}

function digestOf(folder: string, remote: unknown): string {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map(({ parentPath, name }) => join(parentPath, name)).filter((file) => !isLock(file));
  const digest = createHash('sha256').update(JSON.stringify(remote) ?? '');
  for (const file of files.toSorted()) digest.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return digest.digest('hex');
}

/** Reading one here would release it: closing any descriptor of a file ends this process's locks on it. */
function isLock(file: string): boolean {
  return /\.lock(-next)?(-journal)?$/u.test(file);
}
