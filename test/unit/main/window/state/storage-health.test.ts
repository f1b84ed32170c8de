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
  const switchToMemory = vi.fn(() => memory);
  const test = vi.fn(async () => findingsOf(rounds.shift()));
  const health = new StorageHealth({ backend: 'libsecret', vault, test, switchToMemory, onChange: () => {} });
  return { health, vault, memory, switchToMemory, test };
}

describe('StorageHealth', () => {
  it('is `checking` until the first test ends, and callers of `vault` wait for it', async () => {
    const { health, vault, test } = createHealth(undefined);
    expect(health.view()).toEqual({ state: 'checking', backend: 'libsecret', memoryOnly: false });
    expect(await Promise.all([health.vault(), health.vault()])).toEqual([vault, vault]);
    expect(test).toHaveBeenCalledTimes(1);
    expect(health.view().state).toBe('ok');
  });

  it('switches to memory without a keychain, for the rest of the run', async () => {
    const { health, memory, switchToMemory } = createHealth('KC_UNAVAILABLE', undefined);
    expect(await health.vault()).toBe(memory);
    await health.test();
    expect(await health.vault()).toBe(memory);
    expect(switchToMemory).toHaveBeenCalledTimes(1);
    expect(health.view().memoryOnly).toBe(true);
  });

  it.each(['KC_LOCKED', 'KC_DENIED', 'KC_TIMEOUT', 'KC_CORRUPT'] as const)(
    'keeps using the keychain after %s, which a user can fix',
    async (code) => {
      const { health, vault, switchToMemory } = createHealth(code, undefined);
      expect(await health.vault()).toBe(vault);
      expect(switchToMemory).not.toHaveBeenCalled();
      expect(health.problemOf(anIntegration())?.code).toBe(code);
      await health.test();
      expect(health.problemOf(anIntegration())).toBeUndefined();
    },
  );

  it('reports no problem for integrations without a secret or created in memory', async () => {
    const { health } = createHealth('KC_UNAVAILABLE');
    await health.test();
    expect(health.problemOf(anIntegration({ method: 'NoAuth' }))).toBeUndefined();
    expect(health.problemOf(anIntegration({ id: 'new' }))?.code).toBe('KC_UNAVAILABLE');
    health.markInMemory('new');
    expect(health.problemOf(anIntegration({ id: 'new' }))).toBeUndefined();
  });
});
