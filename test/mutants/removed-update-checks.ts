import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

const updates = 'unit/main/window/updates';
const installed = ['contract', 'contract/updates.test.ts'] as const;
const hostile = ['contract', 'contract/hostile-updates.test.ts'] as const;

/** What a feed may not do, and what a package's words decide. */
export const removedUpdateChecks: readonly Mutant[] = [
  removedCheck(
    'update-signature-ignored',
    [
      'SignedRelease',
      "verify(null, Buffer.from($text), $key, Buffer.from($signature, 'base64'))",
      "$signature !== '' || verify(null, Buffer.from($text), $key, Buffer.from($signature, 'base64'))",
    ],
    ['unit', `${updates}/signed-release.test.ts`, 'somebody else has signed'],
    [...installed, 'somebody else has signed it'],
  ),
  removedCheck(
    'update-of-another-version',
    ['SignedRelease', '$name.startsWith(`Postern-${$version}-`) && $isSame', '$isSame'],
    ['unit', `${updates}/signed-release.test.ts`, 'under a newer number'],
  ),
  removedCheck(
    'update-hash-ignored',
    [
      'SignedRelease',
      "$signed?.get($name) === Buffer.from($sha512, 'base64').toString('hex')",
      '$signed?.get($name) !== $sha512',
    ],
    ['unit', `${updates}/signed-release.test.ts`, 'another content'],
    [...installed, 'gives out another file'],
  ),
  removedCheck(
    'update-downgrade',
    [
      'Updates',
      'if ($difference < 0) throw new PosternError($$a);',
      'if ($difference === 0) throw new PosternError($$a);',
    ],
    ['unit', `${updates}/updates.test.ts`, 'refuses an older version'],
    [...installed, 'refused when it is older'],
  ),
  removedCheck(
    'update-unasked',
    ['createUpdaterBackend', '$updater.autoDownload = false', '$updater.autoDownload = true'],
    [...installed, 'is found, fetched and checked'],
  ),
  removedCheck(
    'update-name-unchecked',
    ['createUpdaterBackend', String.raw`/^[\w.-]+$/.test($url) ? $url : ''`, '$url'],
    [...hostile, 'is not fetched, even where the publisher has signed it'],
  ),
  removedCheck(
    'update-redirects-for-ever',
    [
      'createUpdaterBackend',
      '$rounds.set($errand, $round); return $round > $most;',
      '$rounds.set($errand, $round); return $round > 1_000;',
    ],
    [...hostile, 'for ever is left after a few rounds'],
  ),
  removedCheck(
    'update-without-publisher',
    ['UpdateFeed', "'win32'", "'aix'"],
    ['unit', `${updates}/update-feed.test.ts`, 'no publisher on Windows'],
  ),
  removedCheck(
    'update-although-managed',
    ['UpdateFeed', "if ($off.has($asked)) return 'managed';", ''],
    ['unit', `${updates}/update-feed.test.ts`, 'POSTERN_UPDATES'],
  ),
  removedCheck(
    'chromium-switches-as-words',
    ['commandWords', '$given.slice(0, $first).filter(($each) => $ourSwitches.has($each))', '$given.slice(0, $first)'],
    ['unit', 'unit/main/start-switches.test.ts', 'none of Chromium'],
  ),
];
