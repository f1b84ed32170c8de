import { describe, expect, it } from 'vitest';
import { changesPerWrite } from '../../../../../main/limits.ts';
import { batchChanges } from '../../../../../main/storage/settings/integration-store.ts';

function bench({ refuse }: { refuse?: 'lock' | 'read' | 'write' } = {}) {
  let text = '';
  const writes: string[] = [];
  const failing = { refuse };
  const attempt = (step: typeof refuse): void => {
    if (failing.refuse === step) throw new Error(`no ${step}`);
  };
  const change = batchChanges<string>({
    async withLock(work) {
      await Promise.resolve();
      attempt('lock');
      await work();
    },
    async read() {
      attempt('read');
      return text;
    },
    async write(next) {
      attempt('write');
      text = next;
      writes.push(next);
    },
  });
  return { change, writes, failing };
}

const add = (letter: string) => (before: string) => before + letter;

describe('batchChanges', () => {
  it('applies concurrent changes in order, with one write', async () => {
    const { change, writes } = bench();
    expect(await Promise.all(['a', 'b', 'c'].map((letter) => change(add(letter))))).toEqual(['a', 'ab', 'abc']);
    expect(writes).toEqual(['abc']);
    expect(await change(add('d'))).toBe('abcd');
    expect(writes).toEqual(['abc', 'abcd']);
  });

  it('writes nothing if nothing changes', async () => {
    const { change, writes } = bench();
    expect(await change((before) => before)).toBe('');
    expect(writes).toEqual([]);
  });

  it('continues after an edit that throws', async () => {
    const { change, writes } = bench();
    const bad = change(() => {
      throw new Error('bad');
    });
    const [first, , third] = await Promise.allSettled([change(add('a')), bad, change(add('c'))]);
    expect([first, third]).toMatchObject([{ value: 'a' }, { value: 'ac' }]);
    await expect(bad).rejects.toThrow('bad');
    expect(writes).toEqual(['ac']);
  });

  it.each(['lock', 'read', 'write'] as const)(
    'fails a whole batch if there was no %s, and continues',
    async (refuse) => {
      const { change, failing, writes } = bench({ refuse });
      const results = await Promise.allSettled(['a', 'b'].map((letter) => change(add(letter))));
      expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      failing.refuse = undefined;
      expect(await change(add('c'))).toBe('c');
      expect(writes).toEqual(['c']);
    },
  );

  it('batches a bounded number of changes', async () => {
    const { change, writes } = bench();
    await Promise.all(Array.from({ length: changesPerWrite * 2 + 1 }, () => change(add('x'))));
    expect(writes.map(({ length }) => length)).toEqual([changesPerWrite, changesPerWrite * 2, changesPerWrite * 2 + 1]);
  });
});
