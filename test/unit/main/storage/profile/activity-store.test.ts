import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ActivityReader, openActivityStore } from '../../../../../main/storage/profile/activity-store.ts';
import { activityBounds, activityFiles } from '../../../../../shared/bounds.ts';
import { aCall } from '../../../../support/activity-calls.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

function open({ isEnabled = async () => true } = {}) {
  const profileFolder = temporaryFolder();
  const folder = path.join(profileFolder, 'activity');
  const store = openActivityStore({ profileFolder, isEnabled });
  /** Records calls with these numbers and waits until they are stored. */
  const note = async (...numbers: readonly number[]): Promise<void> => {
    for (const ms of numbers) store.add(aCall({ ms }));
    await store.flush();
  };
  const numbersOf = async (reader = new ActivityReader(profileFolder), after = 0) =>
    (await reader.read(after)).calls.map(({ ms }) => ms);
  return { profileFolder, folder, store, note, numbersOf };
}

/** The number of calls that fill most of a file. */
const callsPerFile = Math.floor((activityFiles.bytes * 0.9) / JSON.stringify(aCall({ tool: 'x'.repeat(128) })).length);

async function fill({ store }: ReturnType<typeof open>, files: number): Promise<void> {
  for (let file = 0; file < files; file += 1) {
    for (let count = 0; count < callsPerFile; count += 1) {
      store.add(aCall({ ms: file, tool: 'x'.repeat(128) }));
      if (count % activityFiles.waiting === activityFiles.waiting - 1) await store.flush();
    }
    await store.flush();
  }
}

describe('openActivityStore', () => {
  it('stores calls in files with mode 0600 in a folder with mode 0700', async () => {
    const { folder, note } = open();
    await note(1);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder).map((name) => statSync(path.join(folder, name)).mode & 0o777)).toEqual([0o600]);
  });

  it('flushes automatically, shortly after the call', async () => {
    const { store, numbersOf } = open();
    store.add(aCall({ ms: 7 }));
    await expect.poll(() => numbersOf()).toEqual([7]);
  });

  it('starts another file before one exceeds 5 MiB, and keeps four', async () => {
    const opened = open();
    await fill(opened, 6);
    const names = readdirSync(opened.folder).toSorted();
    expect(names).toHaveLength(activityFiles.count);
    for (const name of names)
      expect(statSync(path.join(opened.folder, name)).size).toBeLessThanOrEqual(activityFiles.bytes);
    const { calls, last, first } = await new ActivityReader(opened.profileFolder).read();
    expect(calls).toHaveLength(activityBounds.calls);
    expect(last - first + 1).toBe(activityBounds.calls);
    expect(calls.at(-1)?.ms).toBe(5);
  });

  it('records nothing while recording is off or its setting cannot be read', async () => {
    let isEnabled = async (): Promise<boolean> => false;
    const { note, numbersOf } = open({ isEnabled: () => isEnabled() });
    await note(1);
    isEnabled = () => Promise.reject(new Error('damaged'));
    await note(2);
    expect(await numbersOf()).toEqual([]);
    isEnabled = async () => true;
    await note(3);
    expect(await numbersOf()).toEqual([3]);
  });

  it('continues after a line that a crash cut off', async () => {
    const { folder, note, numbersOf, profileFolder } = open();
    await note(1);
    const [name = ''] = readdirSync(folder);
    appendFileSync(path.join(folder, name), '{"at":17900');
    expect(await numbersOf()).toEqual([1]);
    const next = openActivityStore({ profileFolder, isEnabled: async () => true });
    next.add(aCall({ ms: 2 }));
    await next.flush();
    expect(await numbersOf()).toEqual([1, 2]);
  });

  it('restores nothing that was deleted', async () => {
    const { folder, store, note, numbersOf } = open();
    await note(1);
    store.add(aCall({ ms: 2 }));
    rmSync(folder, { recursive: true });
    await store.flush();
    expect(await numbersOf()).toEqual([]);
    await note(3);
    expect(await numbersOf()).toEqual([3]);
  });

  it.each([
    ['a link', (target: string, file: string) => symlinkSync(target, file)],
    ['a second name', (target: string, file: string) => linkSync(target, file)],
  ])('does not write through %s to another file', async (_what, make) => {
    const { profileFolder, folder, note } = open();
    const target = path.join(profileFolder, 'other');
    writeFileSync(target, 'as it was');
    mkdirSync(folder, { mode: 0o700 });
    make(target, path.join(folder, '00000001.jsonl'));
    await note(1);
    expect(readFileSync(target, 'utf8')).toBe('as it was');
  });

  it('does not read or write through a linked folder', async () => {
    const { profileFolder, folder, note, numbersOf } = open();
    const elsewhere = path.join(profileFolder, 'elsewhere');
    mkdirSync(elsewhere);
    const file = path.join(elsewhere, '00000001.jsonl');
    writeFileSync(file, `${JSON.stringify(aCall({ ms: 5 }))}\n`);
    symlinkSync(elsewhere, folder);
    expect(await numbersOf()).toEqual([]);
    await note(1);
    expect(readdirSync(elsewhere)).toEqual(['00000001.jsonl']);
    expect(readFileSync(file, 'utf8')).toBe(`${JSON.stringify(aCall({ ms: 5 }))}\n`);
  });

  it('buffers a bounded number of calls while nothing can be written', async () => {
    const held = Promise.withResolvers<boolean>();
    const { store, numbersOf } = open({ isEnabled: () => held.promise });
    store.add(aCall({ ms: 1 }));
    void store.flush();
    for (let count = 0; count < activityFiles.waiting + 100; count += 1) store.add(aCall({ ms: 2 }));
    held.resolve(false);
    await store.flush();
    expect(await numbersOf()).toEqual([]);
  });
});

describe('ActivityReader', () => {
  it('reads new calls, also from files started meanwhile', async () => {
    const opened = open();
    const reader = new ActivityReader(opened.profileFolder);
    expect(await reader.read()).toEqual({ first: 1, last: 0, calls: [] });
    await opened.note(1, 2);
    expect(await opened.numbersOf(reader)).toEqual([1, 2]);
    await fill(opened, 2);
    const { last } = await reader.read();
    await opened.note(9);
    expect(await opened.numbersOf(reader, last)).toEqual([9]);
    expect(await opened.numbersOf(reader, last + 1)).toEqual([]);
  });

  it('reads the newest calls of a long log, whichever files they are in', async () => {
    const { profileFolder, folder, note, numbersOf } = open();
    mkdirSync(folder);
    const write = (file: number, first: number, count: number): void => {
      const lines = Array.from({ length: count }, (_, index) => JSON.stringify(aCall({ ms: first + index })));
      writeFileSync(path.join(folder, `0000000${file}.jsonl`), `${lines.join('\n')}\n`);
    };
    write(1, 1, 500);
    write(2, 501, activityBounds.calls - 200);
    write(3, activityBounds.calls + 301, 700);
    const reader = new ActivityReader(profileFolder);
    const numbers = await numbersOf(reader);
    expect([numbers.length, numbers[0], numbers.at(-1)]).toEqual([activityBounds.calls, 1_001, 6_000]);
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
    const { last } = await reader.read();
    await note(7_000);
    expect(await numbersOf(reader, last)).toEqual([7_000]);
  });

  it('drops deleted calls, and shows it in its numbers', async () => {
    const { profileFolder, folder, note } = open();
    const reader = new ActivityReader(profileFolder);
    await note(1, 2);
    expect((await reader.read()).last).toBe(2);
    rmSync(folder, { recursive: true });
    expect(await reader.read()).toEqual({ first: 3, last: 2, calls: [] });
  });

  it('reads a partial line once the rest has arrived', async () => {
    const { profileFolder, folder, note, numbersOf } = open();
    const reader = new ActivityReader(profileFolder);
    await note(1);
    const file = path.join(folder, readdirSync(folder)[0] ?? '');
    const line = JSON.stringify(aCall({ ms: 2 }));
    appendFileSync(file, line.slice(0, 40));
    expect(await numbersOf(reader)).toEqual([1]);
    appendFileSync(file, `${line.slice(40)}\n`);
    expect(await numbersOf(reader)).toEqual([1, 2]);
  });

  it('reads only lines that are calls, whatever else is in the file', async () => {
    const { profileFolder, folder, numbersOf } = open();
    mkdirSync(folder);
    const long = JSON.stringify({ ...aCall(), tool: 'x'.repeat(100_000) });
    const more = JSON.stringify({ ...aCall(), arguments: {} });
    const lines = ['', 'null', '[]', '{}', long, more, '\u0000', JSON.stringify(aCall({ ms: 5 })), ''];
    writeFileSync(path.join(folder, '00000001.jsonl'), lines.join('\n'));
    writeFileSync(path.join(folder, 'other.jsonl'), `${JSON.stringify(aCall())}\n`);
    expect(await numbersOf(new ActivityReader(profileFolder))).toEqual([5]);
  });
});
