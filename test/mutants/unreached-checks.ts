import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

/** A mutant of the native pipe with one check removed, and the title of the contract test that must fail. */
function removedNativeCheck(
  name: string,
  [where, find, replace]: readonly [where: string, find: string, replace: string],
  [file, title]: readonly [file: string, title: string],
): Mutant {
  return {
    name: `native-${name}`,
    edits: [],
    nativeEdit: { in: where, find, replace },
    caughtBy: [{ kind: 'vitest', project: 'contract', file: `test/contract/pipe/${file}.test.ts`, title }],
  };
}

/**
 * Removes checks that generated mutants do not cover: in the pipes, the window and updates. Tried by
 * `npm run mutants -- --all`.
 */
export const unreachedChecks: readonly Mutant[] = [
  removedCheck(
    'socket-in-an-open-folder',
    ['gatewayAddresses', '($stats.mode & 0o077) === 0', 'true'],
    ['contract', 'contract/pipe/lines.test.ts', 'GW-60'],
  ),
  removedCheck(
    'half-message-to-the-app',
    ['Session', "if ($reader.isMidLongLine) $write('\\n');", ''],
    ['contract', 'contract/pipe/restart.test.ts', 'gives the app no partial message'],
  ),
  removedCheck(
    'first-of-two-ids',
    [
      'EnvelopeScanner',
      "if ($name === 'id') $id = $key = undefined;",
      "if ($id !== undefined && $name === 'id') $name = '';",
    ],
    ['contract', 'contract/pipe/restart.test.ts', 'GW-62'],
  ),
  removedCheck(
    'answer-to-a-gateway-that-is-gone',
    ['Session', 'if ($line.envelope.isResponse && !$asked) return;', ''],
    ['contract', 'contract/pipe/restart.test.ts', 'GW-63'],
  ),
  removedCheck(
    'session-of-another-sign-in',
    [
      'ServerPool',
      'JSON.stringify([$url, $command, $method, $state, $issuerKey, $account, $signedInAt, $keySavedAt, $options])',
      'JSON.stringify([$url])',
    ],
    ['contract', 'contract/window-sessions.test.ts', 'uses none that began with another sign-in'],
  ),
  removedCheck(
    'navigation-of-a-sign-in-page',
    ['guardAllContents', '$rules.get($contents)?.($details.url) === true', '$rules'],
    ['e2e', 'e2e/window-guards.test.ts', 'leave the web'],
  ),
  removedCheck(
    'windows-of-a-sign-in-page',
    ['openSignInPopup', "return { action: 'deny' };", "return { action: 'allow' };"],
    ['e2e', 'e2e/window-guards.test.ts', 'open windows'],
  ),
  removedCheck(
    'client-certificates-of-the-user',
    ['guardAllContents', "app.on('select-client-certificate', $listener);", ''],
    ['e2e', 'e2e/window-guards.test.ts', 'gets no client certificate'],
  ),
  removedCheck(
    'channels-beside-the-contract',
    [
      'serveCalls',
      'ipcMain.handle($call, $answer);',
      "ipcMain.handle($call, $answer); ipcMain.on('electron-store-get-data', (event) => { event.returnValue = {}; });",
    ],
    ['e2e', 'e2e/hostile-script.test.ts', 'on channels of the contract'],
  ),
  removedCheck(
    'files-behind-a-link',
    [
      'serveAppFiles',
      '$real.startsWith(`${$base}${path.sep}`) ? await readFile($real) : undefined',
      'await readFile($real)',
    ],
    ['contract', 'contract/app-files.test.ts', 'leads out of the folder'],
  ),
  removedCheck(
    'proxy-of-the-sealed-session',
    ['chooseSystemProxy', "session.fromPartition('system-proxy', { cache: false })", 'session.defaultSession'],
    ['e2e', 'e2e/hostile-script.test.ts', 'Postern itself uses the system’s'],
  ),
  removedCheck(
    'update-signature-ignored',
    [
      'SignedRelease',
      "verify(null, Buffer.from($text), $key, Buffer.from($signature, 'base64'))",
      "$signature !== '' || verify(null, Buffer.from($text), $key, Buffer.from($signature, 'base64'))",
    ],
    ['unit', 'unit/main/window/updates/signed-release.test.ts', 'signed by another key'],
    ['contract', 'contract/updates.test.ts', 'somebody else has signed it'],
  ),
  removedCheck(
    'update-of-another-version',
    ['SignedRelease', '$name.startsWith(`Postern-${$version}-`) && $isSame', '$isSame'],
    ['unit', 'unit/main/window/updates/signed-release.test.ts', 'under a newer version number'],
  ),
  removedCheck(
    'update-hash-ignored',
    [
      'SignedRelease',
      "$signed?.get($name) === Buffer.from($sha512, 'base64').toString('hex')",
      '$signed?.get($name) !== $sha512',
    ],
    ['unit', 'unit/main/window/updates/signed-release.test.ts', 'different content'],
    ['contract', 'contract/updates.test.ts', 'gives out another file'],
  ),
  removedCheck(
    'update-downgrade',
    [
      'Updates',
      'if ($difference < 0) throw new PosternError($$a);',
      'if ($difference === 0) throw new PosternError($$a);',
    ],
    ['unit', 'unit/main/window/updates/updates.test.ts', 'rejects an older version'],
    ['contract', 'contract/updates.test.ts', 'refused when it is older'],
  ),
  removedNativeCheck(
    'socket-in-an-open-folder',
    ['unix.rs', '&& stats.mode() & 0o077 == 0', ''],
    ['lines', 'trusts no socket'],
  ),
  removedNativeCheck(
    'stranger-at-the-port',
    ['loopback.rs', '(received == expected).then_some(connection)', 'Some(connection)'],
    ['loopback', 'reveals nothing about its app to an unknown process'],
  ),
  removedNativeCheck(
    'answer-to-a-gateway-that-is-gone',
    ['session.rs', 'if envelope.is_response() && !remove(&mut state.server_requests, &envelope.key) { return; }', ''],
    ['restart', 'cancels what a lost gateway had asked'],
  ),
  removedNativeCheck(
    'half-message-to-the-app',
    ['session.rs', 'write_line(&mut out, &[b"\\n"]);', 'write_line(&mut out, &[]);'],
    ['restart', 'gives the app no partial message'],
  ),
];
