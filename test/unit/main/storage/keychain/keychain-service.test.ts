import { describe, expect, it } from 'vitest';
import { keychainService, otherServices } from '../../../../../main/storage/keychain/keychain-service.ts';

describe('keychainService', () => {
  it('differs for each channel, and is never among the other services', () => {
    const channels = ['dev', 'beta', 'stable'] as const;
    expect(new Set(channels.map(keychainService)).size).toBe(channels.length);
    for (const channel of channels) {
      expect(new Set([keychainService(channel), ...otherServices(channel)]).size).toBe(channels.length);
      expect(otherServices(channel)).not.toContain(keychainService(channel));
    }
  });
});
