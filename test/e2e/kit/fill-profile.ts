import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { renderSettingsDocument, settingsVersion } from '../../../main/storage/settings-document.ts';
import type { Integration } from '../../../shared/integration.ts';
import { anIntegration } from '../../support/an-integration.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A profile in which `count` servers have been connected, none of which is asked anything. */
export function profileWith(count: number): string {
  const profile = path.join(temporaryFolder(), 'profile');
  const integrations = Array.from({ length: count }, (_, index) => listed(index + 1));
  mkdirSync(profile, { mode: 0o700 });
  const text = renderSettingsDocument({ version: settingsVersion, settings: {}, integrations });
  writeFileSync(path.join(profile, 'config.json'), text, { mode: 0o600 });
  return profile;
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
