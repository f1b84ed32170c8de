import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

const listener = ['contract', 'contract/callback-listener.test.ts'] as const;
const link = ['contract', 'contract/one-time-link.test.ts'] as const;
const folder = ['contract', 'contract/current-folder.test.ts'] as const;

/** The browser that a person gets, and what comes back from it. */
export const removedBrowserChecks: readonly Mutant[] = [
  removedCheck(
    'programs-of-the-current-folder',
    ['searchFolders', 'return $entries.filter(($entry) => $whole.test($entry));', 'return $entries;'],
    [...folder, 'are never a bare $BROWSER'],
    ['unit', 'unit/main/find-program.test.ts', 'that are named whole'],
  ),
  removedCheck(
    'bare-name-of-the-opener',
    ['BrowserCommand', "findSystemProgram('xdg-open', $env)", "'xdg-open'"],
    ['unit', 'unit/main/net/browser/browser-command.test.ts', 'takes xdg-open by its whole path'],
  ),
  removedCheck(
    'browser-from-where-somebody-stands',
    [
      'BrowserCommand',
      String.raw`/[/\\]/.test($name) ? undefined : findProgram($name, $env, $platform)`,
      String.raw`/[/\\]/.test($name) ? $name : findProgram($name, $env, $platform)`,
    ],
    [...folder, 'from where somebody stands'],
  ),
  removedCheck(
    'path-of-the-browser',
    ['openSystemBrowser', 'keepSearchFolders($childEnv, $platform);', ''],
    ['contract', 'contract/system-browser.test.ts', 'no PATH that leads to where somebody stands'],
  ),
  removedCheck(
    'path-of-the-window',
    ['', 'keepSearchFolders(process.env, process.platform);', ''],
    ['e2e', 'e2e/current-folder.test.ts', 'the folder that somebody stands in'],
  ),
  removedCheck(
    'windows-folder-of-the-environment',
    ['findProgram', String.raw`/^[a-z]:\\\w+$/i.test($root)`, "$root !== ''"],
    ['unit', 'unit/main/find-program.test.ts', 'with SystemRoot'],
  ),
  removedCheck(
    'browser-in-which-nobody-goes-there',
    ['CallbackRequest', 'if (!isNavigation($request.headers)) return { refusal: 403 };', ''],
    [...listener, 'from a browser in which nobody went there'],
    ['contract', 'contract/callback-in-browser.test.ts', 'gets no answer and loses no link by'],
  ),
  removedCheck(
    'look-ahead-of-a-browser',
    [
      'readCallbackRequest',
      '$lookingAhead.every(($name) => $headers[$name] === undefined)',
      '$lookingAhead.length > 0',
    ],
    [...listener, 'from a browser in which nobody went there'],
    [...link, 'is not used up by a look ahead'],
  ),
  removedCheck(
    'state-in-the-arguments-of-a-browser',
    ['createCliInteraction', '$pending.browserUrl()', '$pending.url'],
    [...link, 'says nothing of the sign-in'],
  ),
  removedCheck(
    'state-in-the-arguments-of-the-window',
    ['openSignInPage', '$authorization.browserUrl()', '$authorization.url'],
    ['contract', 'contract/desktop.test.ts', 'takes the sign-in to the browser'],
  ),
  removedCheck(
    'link-that-is-used-again',
    [
      'AuthorizationSession',
      "if ($use === 'new') return this.$end ?? { url: this.request.url };",
      "if ($use === 'new' || $use === 'used') return this.$end ?? { url: this.request.url };",
    ],
    [...link, 'ends the sign-in when it is opened a second time'],
    ['unit', 'unit/main/engine/sign-in/authorization-session.test.ts', 'leads to its page once by each link'],
  ),
  removedCheck(
    'link-that-is-used-again-after-the-answer',
    ['signIn', '$authorizer.assertOpenedOnce();', ''],
    [...link, 'also when it is opened again after the answer'],
  ),
  removedCheck(
    'page-that-no-browser-may-get',
    ['presentAuthorization', 'browserAddress($url);', ''],
    ['unit', 'unit/main/engine/sign-in/authorizer.test.ts', 'makes no link to a page'],
  ),
];
