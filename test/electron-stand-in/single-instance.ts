import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface SecondInstance {
  readonly argv: string[];
  readonly workingDirectory: string;
  readonly additionalData: unknown;
}

/**
 * One app instance per userData folder. The lock is a kernel lock through SQLite, so that a killed holder releases it.
 * A second instance passes its data through a folder that the first one watches, because it must not wait for a
 * response.
 */
export class SingleInstance {
  #lock: DatabaseSync | undefined;
  #stopWatching: (() => void) | undefined;

  get isHeld(): boolean {
    return this.#lock !== undefined;
  }

  request(folder: string, mine: SecondInstance, onSecond: (second: SecondInstance) => void): boolean {
    if (this.#lock) return true;
    const messages = path.join(folder, 'second-instances');
    mkdirSync(messages, { recursive: true, mode: 0o700 });
    const lock = new DatabaseSync(path.join(folder, 'single-instance.lock'));
    try {
      lock.exec('BEGIN EXCLUSIVE');
    } catch {
      lock.close();
      const name = path.join(messages, `${process.pid}-${process.hrtime.bigint()}`);
      writeFileSync(`${name}.part`, JSON.stringify(mine), { mode: 0o600 });
      renameSync(`${name}.part`, `${name}.json`);
      return false;
    }
    this.#lock = lock;
    for (const name of readdirSync(messages)) rmSync(path.join(messages, name), { force: true });
    const watcher = watch(messages, { persistent: false }, () => {
      for (const name of readdirSync(messages).filter((file) => file.endsWith('.json'))) {
        const file = path.join(messages, name);
        const second = JSON.parse(readFileSync(file, 'utf8')) as SecondInstance;
        rmSync(file);
        onSecond(second);
      }
    });
    this.#stopWatching = () => watcher.close();
    return true;
  }

  release(): void {
    this.#stopWatching?.();
    this.#lock?.close();
    this.#lock = undefined;
  }
}
