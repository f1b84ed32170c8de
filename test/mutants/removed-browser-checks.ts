import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

const folder = ['contract', 'contract/current-folder.test.ts'] as const;

/** The browser that a person gets, and what comes back from it. */
export const removedBrowserChecks: readonly Mutant[] = [
  removedCheck(
    'programs-of-the-current-folder',
    ['user-agent/search-path.ts', 'entries.filter((entry) => whole.test(entry))', 'entries'],
    [...folder, 'are never a bare $BROWSER'],
    ['unit', 'unit/main/user-agent/search-path.test.ts', 'that are named whole'],
  ),
  removedCheck(
    'bare-name-of-the-opener',
    ['user-agent/browser-command.ts', "findSystemProgram('xdg-open', env)", "'xdg-open'"],
    ['unit', 'unit/main/user-agent/browser-command.test.ts', 'takes xdg-open by its whole path'],
  ),
  removedCheck(
    'browser-from-where-somebody-stands',
    [
      'user-agent/browser-command.ts',
      String.raw`/[/\\]/.test(name) ? undefined`,
      String.raw`/[/\\]/.test(name) ? name`,
    ],
    [...folder, 'from where somebody stands'],
  ),
  removedCheck(
    'path-of-the-browser',
    ['user-agent/system-browser.ts', 'keepSearchFolders(childEnv, platform);', ''],
    ['contract', 'contract/system-browser.test.ts', 'no PATH that leads to where somebody stands'],
  ),
  removedCheck(
    'path-of-the-window',
    ['index.ts', 'keepSearchFolders(process.env, process.platform);', ''],
    ['e2e', 'e2e/current-folder.test.ts', 'the folder that somebody stands in'],
  ),
  removedCheck(
    'windows-folder-of-the-environment',
    ['user-agent/find-program.ts', String.raw`/^[a-z]:\\\w+$/i.test(root)`, "root !== ''"],
    ['unit', 'unit/main/user-agent/find-program.test.ts', 'with SystemRoot'],
  ),
];
