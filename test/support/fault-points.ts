import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EnginePorts } from '../../main/engine/engine-ports.ts';
import { replaceFile } from '../../main/storage/files/replace-file.ts';

/** A moment when the engine waits for I/O. */
export interface FaultPoint {
  readonly name: string;
  /** A crash here would leave a different state than at the previous point. */
  readonly isNew: boolean;
}

/** Counts the fault points of a run; the process dies at one of them. */
export interface FaultPoints {
  /** Points reached so far. */
  readonly passed: readonly FaultPoint[];
  pass(name: string): void;
}

/** `fatal`: the number of the point, from 1, at which this process kills itself; 0 for none. */
export function createFaultPoints(folder: string, fatal: number): FaultPoints {
  const passed: FaultPoint[] = [];
  let before: string | undefined;
  return {
    passed,
    pass(name) {
      const digest = fatal === 0 ? digestOf(folder) : before;
      // Every response may have changed a server's state.
      passed.push({ name, isNew: digest !== before || name.startsWith('after http.') });
      before = digest;
      if (passed.length === fatal) process.kill(process.pid, 'SIGKILL');
    },
  };
}

function digestOf(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const digest = createHash('sha256');
  for (const file of files.map(({ parentPath, name }) => join(parentPath, name)).toSorted())
    digest.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return digest.digest('hex');
}

/** Adds a fault point before and after each port call, and after each lock acquisition. */
export function withFaultPoints(ports: EnginePorts, points: FaultPoints): EnginePorts {
  const around = <Target extends object>(name: string, target: Target): Target =>
    new Proxy(target, {
      get(real, property) {
        const value: unknown = Reflect.get(real, property);
        if (typeof value !== 'function') return value;
        return async (...args: unknown[]) => {
          points.pass(`before ${name}.${String(property)}`);
          const result: unknown = await Reflect.apply(value, real, args);
          points.pass(`after ${name}.${String(property)}`);
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
    locks: {
      hold: async (name, work, signal) => {
        const [kind] = name.split(' ');
        points.pass(`before lock ${kind}`);
        const result = await ports.locks.hold(
          name,
          async () => {
            points.pass(`in lock ${kind}`);
            return await work();
          },
          signal,
        );
        points.pass(`after lock ${kind}`);
        return result;
      },
    },
  };
}

/** File replacement for the vault, with a fault point before every step that changes the disk. */
export function replaceWithFaultPoints(points: FaultPoints) {
  return (file: string, bytes: Uint8Array): Promise<void> =>
    replaceFile(file, bytes, (step) => points.pass(`vault file ${step}`));
}
