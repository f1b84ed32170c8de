import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../../../../main/host/system-ports.ts';
import { createLocks } from '../../../../../main/storage/files/kernel-locks.ts';
import { replaceFile, replaceSteps } from '../../../../../main/storage/files/replace-file.ts';
import type { ReplaceStep } from '../../../../../main/storage/files/replace-file.ts';
import { openVault } from '../../../../../main/storage/vault/vault.ts';
import { createMemoryKeychain } from '../../../../support/memory-keychain.ts';
import { runs } from '../../../../support/runs.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const key = { kind: 'tokens', owner: 'one', issuerKey: 'https://as.example' } as const;

/** A vault whose next write crashes at a given step. */
function openProfile() {
  const folder = temporaryFolder();
  const keychain = createMemoryKeychain();
  const locks = createLocks(folder);
  let crashStep: ReplaceStep | undefined;
  const replace = (file: string, bytes: Uint8Array): Promise<void> =>
    replaceFile(file, bytes, (step) => {
      if (step === crashStep) throw new Error('killed');
    });
  return {
    folder,
    keychain,
    open: () => openVault({ folder, keychain, locks, random: systemRandom, backend: 'test', replace }),
    crashAt: (step: ReplaceStep | undefined) => void (crashStep = step),
  };
}

describe('openVault', () => {
  it('contains exactly the old or the new record, of any size and script, at whatever step a write crashes (PB-06)', async () => {
    const { open, crashAt } = openProfile();
    const record = fc.record({
      text: fc.string({ unit: 'binary', maxLength: 2_000 }),
      filler: fc.nat({ max: 20_000 }),
    });
    const property = fc.asyncProperty(
      record,
      record,
      fc.constantFrom(...replaceSteps, undefined),
      async (old, next, step) => {
        const grow = ({ text, filler }: typeof old) => ({ text: text.toWellFormed(), filler: 'ü'.repeat(filler) });
        crashAt(undefined);
        await (await open()).write(key, grow(old));
        crashAt(step);
        const isStored = await (await open()).write(key, grow(next)).then(
          () => true,
          () => false,
        );
        crashAt(undefined);
        const found = await (await open()).read(key);
        if (isStored) expect(found).toEqual(grow(next));
        else expect([grow(old), grow(next)]).toContainEqual(found);
        expect(isStored).toBe(step === undefined);
      },
    );
    await fc.assert(property, { numRuns: runs(25) });
  });

  it('stores ten kilobytes of tokens whole, and only 32 bytes in the keychain (KC-06)', async () => {
    const { open, keychain, folder } = openProfile();
    const tokens = { accessToken: 'a'.repeat(10_240), idToken: 'ü😀'.repeat(2_000) };
    await (await open()).write(key, tokens);
    expect(await (await open()).read(key)).toEqual(tokens);
    const [entry = ''] = keychain.entries.values();
    expect(keychain.entries.size).toBe(1);
    expect(Buffer.from(entry, 'base64')).toHaveLength(32);
    expect(readFileSync(join(folder, 'vault'), 'utf8')).not.toContain('aaaaaaaa');
  });
});
