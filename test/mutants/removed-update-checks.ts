import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

const updates = 'unit/main/updates';
const installed = ['contract', 'contract/updates.test.ts'] as const;
const hostile = ['contract', 'contract/hostile-updates.test.ts'] as const;

/** What a feed may not do, and what a package's words decide. */
export const removedUpdateChecks: readonly Mutant[] = [
  removedCheck(
    'update-signature-ignored',
    [
      'updates/signed-release.ts',
      "return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));",
      "return signature !== '' || verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));",
    ],
    ['unit', `${updates}/signed-release.test.ts`, 'somebody else has signed'],
    [...installed, 'somebody else has signed it'],
  ),
  removedCheck(
    'update-of-another-version',
    ['updates/signed-release.ts', 'name.startsWith(`Postern-${version}-`) &&', ''],
    ['unit', `${updates}/signed-release.test.ts`, 'under a newer number'],
  ),
  removedCheck(
    'update-hash-ignored',
    [
      'updates/signed-release.ts',
      "signed?.get(name) === Buffer.from(sha512, 'base64').toString('hex')",
      'signed?.get(name) !== sha512',
    ],
    ['unit', `${updates}/signed-release.test.ts`, 'another content'],
    [...installed, 'gives out another file'],
  ),
  removedCheck(
    'update-downgrade',
    ['updates/updates.ts', 'if (difference < 0) throw', 'if (difference === 0) throw'],
    ['unit', `${updates}/updates.test.ts`, 'refuses an older version'],
    [...installed, 'refused when it is older'],
  ),
  removedCheck(
    'update-unasked',
    ['app/electron-updater-backend.ts', 'updater.autoDownload = false;', 'updater.autoDownload = true;'],
    [...installed, 'is found, fetched and checked'],
  ),
  removedCheck(
    'update-name-unchecked',
    ['app/electron-updater-backend.ts', "return /^[\\w.-]+$/.test(url) ? url : '';", 'return url;'],
    [...hostile, 'is not fetched, even where the publisher has signed it'],
  ),
  removedCheck(
    'update-redirects-for-ever',
    ['app/bound-redirects.ts', 'return round > mostRounds;', 'return round > 1_000;'],
    [...hostile, 'for ever is left after a few rounds'],
  ),
  removedCheck(
    'update-without-publisher',
    ['updates/update-feed.ts', "if (platform === 'win32' &&", "if (platform === 'aix' &&"],
    ['unit', `${updates}/update-feed.test.ts`, 'no publisher on Windows'],
  ),
  removedCheck(
    'update-although-managed',
    ['updates/update-feed.ts', "return 'managed';", 'void off;'],
    ['unit', `${updates}/update-feed.test.ts`, 'POSTERN_UPDATES'],
  ),
  removedCheck(
    'chromium-switches-as-words',
    ['cli/command-words.ts', '.filter((each) => ourSwitches.has(each))', ''],
    ['unit', 'unit/main/cli/command-words.test.ts', 'none of Chromium'],
  ),
];
