import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { endGroup } from './child-process.ts';
import { startOf } from './start-of-process.ts';

const process_ = z.strictObject({ pid: z.number().int().positive(), startedAt: z.string().max(100) });
const notesSchema = z.strictObject({ owner: process_, children: z.array(process_).max(1_000) });

type Noted = z.infer<typeof process_>;

const fileName = /^children-\d{1,10}\.json$/;

/**
 * Which processes a process of ours has started, for whoever comes after it: a kill gives it no time to end them. Each
 * stands there with the moment of its start, so that no other one that has its number now is taken for it.
 */
export class ChildNotes {
  readonly #folder: string;
  #children: readonly Noted[] = [];

  constructor(profileFolder: string) {
    this.#folder = path.join(profileFolder, 'run');
  }

  /** At once, since a kill may come at any time. Never throws: at worst one that is killed leaves something behind. */
  add(pid: number): void {
    const startedAt = startOf(pid);
    if (startedAt === undefined) return;
    this.#children = [...this.#children, { pid, startedAt }];
    this.#write();
  }

  remove(pid: number): void {
    this.#children = this.#children.filter((child) => child.pid !== pid);
    this.#write();
  }

  #write(): void {
    const file = path.join(this.#folder, `children-${process.pid}.json`);
    const startedAt = startOf(process.pid);
    try {
      if (this.#children.length === 0) return rmSync(file, { force: true });
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      const notes = { owner: { pid: process.pid, startedAt: startedAt ?? '' }, children: this.#children };
      writeFileSync(file, JSON.stringify(notes), { mode: 0o600 });
    } catch {
      // See above.
    }
  }
}

/**
 * Ends what processes of ours have left that are gone: what is there under its number and has started at the noted
 * moment. Never throws.
 */
export function endOrphans(profileFolder: string): void {
  const folder = path.join(profileFolder, 'run');
  for (const name of namesIn(folder)) {
    if (!fileName.test(name)) continue;
    const file = path.join(folder, name);
    const notes = read(file);
    if (notes && isThere(notes.owner)) continue;
    for (const child of notes?.children ?? []) if (isThere(child)) endGroup(child.pid, 'SIGKILL');
    try {
      rmSync(file, { force: true });
    } catch {
      // It is looked at again the next time.
    }
  }
}

function isThere({ pid, startedAt }: Noted): boolean {
  return startOf(pid) === startedAt;
}

function read(file: string): z.infer<typeof notesSchema> | undefined {
  try {
    return notesSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
