import type { EnginePorts } from '../../main/integration/engine-ports.ts';
import { replaceFile } from '../../main/storage/files/replace-file.ts';

/** Every moment at which the engine waits for the world, counted; at one of them the process dies. */
export interface FaultPoints {
  /** Names of the points passed so far. */
  readonly passed: readonly string[];
  pass(name: string): void;
}

/** `fatal`: the number of the point, from 1, at which this process kills itself; none when absent. */
export function createFaultPoints(fatal: number | undefined): FaultPoints {
  const passed: string[] = [];
  return {
    passed,
    pass(name) {
      passed.push(name);
      if (passed.length === fatal) process.kill(process.pid, 'SIGKILL');
    },
  };
}

/** The ports with a point before and after each call, and after each lock was taken. */
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

/** What the vault replaces its file with: a point before every step that leaves something else on the disk. */
export function replaceWithFaultPoints(points: FaultPoints) {
  return (file: string, bytes: Uint8Array): Promise<void> =>
    replaceFile(file, bytes, (step) => points.pass(`vault file ${step}`));
}
