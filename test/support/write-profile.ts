import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { renderSettingsDocument, settingsVersion } from '../../main/storage/settings/settings-document.ts';
import type { Integration } from '../../shared/integration.ts';
import { anIntegration } from './an-integration.ts';

/**
 * Writes a profile with `count` connected servers, without user interaction. One in ten is signed out.
 */
export function writeProfile(folder: string, count: number): void {
  writeList(
    folder,
    Array.from({ length: count }, (_, index) => listed(index + 1)),
  );
}

/** Writes a profile that contains only these servers. */
export function writeList(folder: string, integrations: readonly Integration[]): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const text = renderSettingsDocument({
    version: settingsVersion,
    settings: {},
    integrations,
    apps: [],
    collections: [],
    pendingDeletions: [],
    removedCollections: [],
  });
  writeFileSync(path.join(folder, 'config.json'), text, { mode: 0o600 });
}

function listed(number: number): Integration {
  const signedOut = number % 10 === 0;
  return anIntegration({
    id: `server-${number}`,
    name: `Server ${number}`,
    url: `https://mcp-${number}.example/mcp`,
    method: signedOut ? 'OAuthWithDCR' : 'NoAuth',
    state: signedOut ? 'signedOut' : 'integrated',
  });
}
