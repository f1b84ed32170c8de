import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

const guards = ['e2e', 'e2e/window-guards.test.ts'] as const;
const bar = ['e2e', 'e2e/sign-in-bar.test.ts'] as const;
const aLink = ['unit', 'unit/main/address/postern-link.test.ts', 'IP-13'] as const;
const script = ['e2e', 'e2e/hostile-script.test.ts'] as const;

/** What stands between a page and the network, the person and the program, each layer by itself. */
export const removedWindowChecks: readonly Mutant[] = [
  removedCheck('address-of-a-link', ['readPosternLink', 'parseInput($address).href', '$address'], aLink),
  removedCheck('one-address-of-a-link', ['readPosternLink', '$addresses.length === 1', 'true'], aLink),
  removedCheck(
    'controls-in-a-link',
    ['readPosternLink', '$link.length > $longest || /[\\s\\p{Cc}\\\\]/u.test($link)', '$link.length > $longest'],
    aLink,
  ),
  removedCheck(
    'commands-behind-a-link',
    ['startSwitches', '$end === -1 ? $given : $given.slice(0, $end)', '$given'],
    ['unit', 'unit/main/start-switches.test.ts', 'IP-13'],
  ),
  removedCheck(
    'kept-failure',
    [
      'keptStatus',
      "if ($failure) return isAbout(errorCatalogue[$failure.code], 'refused-sign-in') ? 'signInAgain' : 'failing';",
      '',
    ],
    ['contract', 'contract/failing-server.test.ts', 'starts later'],
  ),
  removedCheck(
    'links-of-a-result',
    ['KeptResults', 'if (!isThere) throw gone();', ''],
    ['contract', 'contract/desktop-calls.test.ts', 'IP-24'],
  ),
  removedCheck(
    'pixels-of-a-picture',
    [
      'readPictureSize',
      '$size.width <= $side && $size.height <= $side && $size.width * $size.height <= $pixels',
      'true',
    ],
    ['unit', 'unit/main/window/views/picture-size.test.ts', 'IP-25'],
  ),
  removedCheck(
    'pictures-of-a-result',
    ['keepContent', 'if ($pixels > $room.pixels || $size > $room.bytes) return false;', ''],
    ['unit', 'unit/main/window/views/describe-mcp.test.ts', 'draws no more of a result'],
  ),
  removedCheck(
    'clean-text-for-the-clipboard',
    ['keepContent', 'displayBlock($text, Infinity).text', '$text'],
    ['unit', 'unit/main/window/state/window-calls.test.ts', 'copies what is shown'],
  ),
  removedCheck(
    'clean-data-for-the-clipboard',
    ['keepStructure', 'indented(wholeJson($structure))', 'indented($structure)'],
    ['unit', 'unit/main/window/state/window-calls.test.ts', 'copies and saves all'],
  ),
  removedCheck(
    'room-of-data-in-a-result',
    ['keepStructure', 'showJson($structure, { nodes: $room.nodes })', 'showJson($structure)'],
    ['unit', 'unit/main/window/views/describe-mcp.test.ts', 'IP-25 shows no more values'],
  ),
  removedCheck(
    'escapes-in-json-of-a-result',
    ['readJsonText', 'displayJson($value, $limits)', '($value as Json)'],
    ['unit', 'unit/main/window/views/read-json-text.test.ts', 'IP-01'],
  ),
  removedCheck(
    'session-of-another-sign-in',
    [
      'KeptServers',
      'JSON.stringify([$url, $command, $method, $state, $issuerKey, $account, $signedInAt, $keySavedAt, $options])',
      'JSON.stringify([$url])',
    ],
    ['contract', 'contract/kept-sessions.test.ts', 'uses none that began with another sign-in'],
  ),
  removedCheck(
    'depth-of-json-in-a-result',
    ['readJsonText', 'countNodes($value, Math.min($limits.nodes, $room.nodes))', '(1 as number | undefined)'],
    ['unit', 'unit/main/window/views/read-json-text.test.ts', 'IP-24'],
  ),
  removedCheck(
    'frames-of-a-gif',
    ['readPictureSize', 'if ($left + $wide > $width || $top + $high > $height) return undefined;', ''],
    ['unit', 'unit/main/window/views/picture-size.test.ts', 'IP-26'],
  ),
  removedCheck(
    'fill-bytes-of-a-jpeg',
    ['readPictureSize', 'if (!hasLength) return undefined;', ''],
    ['unit', 'unit/main/window/views/picture-size.test.ts', 'IP-26'],
  ),
  removedCheck(
    'sound-behind-a-tag',
    [
      'isSoundFile',
      'return isMpegFrame($bytes, $$at);',
      "return startsWith($bytes, 'ID3') || isMpegFrame($bytes, $$at);",
    ],
    ['unit', 'unit/main/window/views/sound-file.test.ts', 'IP-26'],
  ),
  removedCheck(
    'format-of-a-sound',
    ['isSoundFile', 'isPlainFormat(formatOf($bytes))', 'true'],
    ['unit', 'unit/main/window/views/sound-file.test.ts', 'IP-26'],
  ),
  removedCheck(
    'layer-of-a-sound',
    ['isSoundFile', '($second & 0x06) !== 0', 'true'],
    ['unit', 'unit/main/window/views/sound-file.test.ts', 'IP-26'],
  ),
  removedCheck(
    'look-of-what-is-completed',
    ['completeHandler', 'isPlainName($value, completion.length)', 'true'],
    ['contract', 'contract/arguments-in-window.test.ts', 'EL-13'],
  ),
  removedCheck(
    'question-of-who-types-on',
    ['completeHandler', 'latest.abort();', ''],
    ['contract', 'contract/arguments-in-window.test.ts', 'EL-13'],
  ),
  removedCheck(
    'changed-list-not-heard',
    ['subscribe', 'client.setNotificationHandler(`notifications/${$notice}`, $changed);', ''],
    ['contract', 'contract/window-follows.test.ts', 'is told to read a list again'],
  ),
  removedCheck(
    'stream-of-changes-opened-once',
    ['OwnStream', 'if (this.#hasEnded) this.open();', ''],
    ['contract', 'contract/window-follows.test.ts', 'goes on with another stream'],
  ),
  removedCheck(
    'length-of-progress',
    ['readMessages', 'if ($bytes.byteLength > mcpMessage.progressBytes) return [];', ''],
    ['unit', 'unit/main/mcp/messages/read-messages.test.ts', 'a word about progress'],
  ),
  removedCheck(
    'rate-of-progress',
    ['WindowCalls', '$now - $last < progressInterval', 'false'],
    ['contract', 'contract/desktop-calls.test.ts', 'shows how far it is'],
  ),
  removedCheck(
    'webrtc-past-the-proxy',
    ['guardAllContents', "$contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');", ''],
    [...script, 'a page without our headers'],
    [...guards, 'sends no datagram past the proxy'],
  ),
  removedCheck(
    'navigation-of-a-sign-in-page',
    ['guardAllContents', '$rules.get($contents)?.($details.url) === true', '$rules'],
    [...guards, 'leave the web'],
  ),
  removedCheck(
    'redirects-of-a-sign-in-page',
    ['guardAllContents', "$contents.on('will-redirect', $judge);", ''],
    [...guards, 'by no frame and no redirect'],
  ),
  removedCheck(
    'frames-of-a-sign-in-page',
    ['guardAllContents', 'if (!$details.isMainFrame) $judge($details);', ''],
    [...guards, 'by no frame and no redirect'],
  ),
  removedCheck(
    'windows-of-a-sign-in-page',
    ['openSignInPopup', "return { action: 'deny' };", "return { action: 'allow' };"],
    [...guards, 'open windows'],
  ),
  removedCheck(
    'word-of-a-second-window',
    ['openSignInPopup', "show($place, { needs: 'second-window' });", ''],
    [...bar, 'opens a second window'],
  ),
  removedCheck(
    'word-of-a-passkey',
    ['watchPasskeyUse', "$contents.on('did-frame-navigate', $listener);", ''],
    [...bar, 'that a passkey may not work'],
  ),
  removedCheck(
    'word-of-a-passkey-in-a-frame',
    ['watchPasskeyUse', 'webFrameMain.fromId($process, $routing)', 'contents.mainFrame'],
    [...bar, 'a passkey that a frame'],
  ),
  removedCheck(
    'word-of-a-page-that-did-not-come',
    ['openSignInPopup', 'readLoadFailure($number)', 'undefined'],
    [...bar, 'covers a page'],
  ),
  removedCheck(
    'windows-of-the-main-page',
    ['guardAllContents', "$contents.setWindowOpenHandler(() => ({ action: 'deny' }));", ''],
    [...guards, 'goes nowhere, opens nothing'],
  ),
  removedCheck(
    'webviews-in-a-page',
    ['guardAllContents', "$contents.on('will-attach-webview', ($event) => $event.preventDefault());", ''],
    [...guards, 'no webview'],
  ),
  removedCheck(
    'certificates-of-the-person',
    ['guardAllContents', "app.on('select-client-certificate', $listener);", ''],
    [...guards, 'no certificate of the person'],
  ),
  removedCheck(
    'downloads-of-a-sign-in-page',
    ['refusePermissions', "$session.on('will-download', ($event) => $event.preventDefault());", ''],
    [...guards, 'downloads nothing'],
  ),
  removedCheck(
    'devices-of-the-person',
    [
      'refusePermissions',
      '$session.setDevicePermissionHandler(() => false);',
      '$session.setDevicePermissionHandler(() => true);',
    ],
    [...guards, 'no device'],
  ),
  // Either of the two is enough.
  {
    name: 'what-a-page-asks-for',
    edits: [
      { in: 'refusePermissions', find: '$answer(false)', replace: '$answer(true)' },
      {
        in: 'refusePermissions',
        find: '$session.setPermissionCheckHandler(() => false);',
        replace: '$session.setPermissionCheckHandler(() => true);',
      },
    ],
    caughtBy: [
      { kind: 'vitest', project: 'e2e', file: 'test/e2e/window-guards.test.ts', title: 'or ask for anything' },
    ],
  },
  removedCheck(
    'inline-scripts-of-our-own-page',
    ['serveAppFiles', "'content-security-policy': $", ''],
    [...guards, 'goes nowhere'],
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
    'network-of-our-own-pages',
    ['startProgram', 'sealSession(session.defaultSession)', 'Promise.resolve()'],
    [...script, 'a page without our headers'],
  ),
  removedCheck(
    'loopback-past-the-proxy',
    ['sealSession', "proxyBypassRules: '<-loopback>'", ''],
    [...script, 'a page without our headers'],
  ),
  removedCheck('names-looked-up', ['serveAppFiles', "'connection-allowlist': $", ''], [...script, 'no name looked up']),
  removedCheck(
    'proxy-of-the-sealed-session',
    ['chooseSystemProxy', "session.fromPartition('system-proxy', { cache: false })", 'session.defaultSession'],
    [...script, 'the program itself the one of the system'],
  ),
  removedCheck(
    'channels-beside-the-contract',
    [
      'serveCalls',
      'ipcMain.handle($call, $answer);',
      "ipcMain.handle($call, $answer); ipcMain.on('electron-store-get-data', (event) => { event.returnValue = {}; });",
    ],
    [...script, 'channels of the contract alone'],
  ),
  removedCheck(
    'a-page-that-left',
    ['createMainWindow', 'setImmediate(() => $showPage($window))', ''],
    [...script, 'no name looked up'],
  ),
  removedCheck(
    'pages-of-the-catalogue',
    ['pageOfService', '({ name }) => name === service', '() => true'],
    ['contract', 'contract/known-pages.test.ts', 'IP-04'],
  ),
];
