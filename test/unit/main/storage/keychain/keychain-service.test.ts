import { describe, expect, it } from 'vitest';
import { keychainService, otherServices } from '../../../../../main/storage/keychain/keychain-service.ts';

describe('the service in the keychain', () => {
  it('is another one for each channel, and never among the others', () => {
    const channels = ['dev', 'beta', 'stable'] as const;
    expect(new Set(channels.map(keychainService)).size).toBe(channels.length);
    for (const channel of channels) {
      expect(new Set([keychainService(channel), ...otherServices(channel)]).size).toBe(channels.length);
      expect(otherServices(channel)).not.toContain(keychainService(channel));
    }
  });
});
