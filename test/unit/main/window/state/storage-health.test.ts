import { describe, expect, it, vi } from 'vitest';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { createMemoryVault } from '../../../../../main/storage/vault/vault.ts';
import { StorageHealth } from '../../../../../main/window/state/storage-health.ts';
import type { StorageFinding } from '../../../../../main/window/state/storage-health.ts';
import type { ErrorCode } from '../../../../../shared/error-codes.ts';
import { anIntegration } from '../../../../support/an-integration.ts';

const findingsOf = (code?: ErrorCode): StorageFinding[] =>
  code === undefined
    ? [{ name: 'keychain' }, { name: 'vault' }]
    : [{ name: 'keychain', error: new PosternError(code, { stage: 'storage' }) }];

function createHealth(...rounds: (ErrorCode | undefined)[]) {
  const vault = createMemoryVault();
  const memory = createMemoryVault();
  const goToMemory = vi.fn(() => memory);
  const test = vi.fn(async () => findingsOf(rounds.shift()));
  const health = new StorageHealth({ backend: 'libsecret', vault, test, goToMemory, onChange: () => {} });
  return { health, vault, memory, goToMemory, test };
}

describe('StorageHealth', () => {
  it('is checking until the first test has ended, and all who need the vault wait for it', async () => {
    const { health, vault, test } = createHealth(undefined);
    expect(health.view()).toEqual({ state: 'checking', backend: 'libsecret', memoryOnly: false });
    expect(await Promise.all([health.vault(), health.vault()])).toEqual([vault, vault]);
    expect(test).toHaveBeenCalledTimes(1);
    expect(health.view().state).toBe('ok');
  });

  it('goes to memory without any keychain, for the rest of the run', async () => {
    const { health, memory, goToMemory } = createHealth('KC_UNAVAILABLE', undefined);
    expect(await health.vault()).toBe(memory);
    await health.test();
    expect(await health.vault()).toBe(memory);
    expect(goToMemory).toHaveBeenCalledTimes(1);
    expect(health.view().memoryOnly).toBe(true);
  });

  it.each(['KC_LOCKED', 'KC_DENIED', 'KC_TIMEOUT', 'KC_CORRUPT'] as const)(
    'never leaves the keychain for %s, which a person can mend',
    async (code) => {
      const { health, vault, goToMemory } = createHealth(code, undefined);
      expect(await health.vault()).toBe(vault);
      expect(goToMemory).not.toHaveBeenCalled();
      expect(health.problemOf(anIntegration())?.code).toBe(code);
      await health.test();
      expect(health.problemOf(anIntegration())).toBeUndefined();
    },
  );

  it('has no problem with what has no secret, nor in memory with what was made there', async () => {
    const { health } = createHealth('KC_UNAVAILABLE');
    await health.test();
    expect(health.problemOf(anIntegration({ method: 'NoAuth' }))).toBeUndefined();
    expect(health.problemOf(anIntegration({ id: 'new' }))?.code).toBe('KC_UNAVAILABLE');
    health.madeHere('new');
    expect(health.problemOf(anIntegration({ id: 'new' }))).toBeUndefined();
  });
});
