import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

/** What keeps a server on this computer from being started unasked, and from doing harm by its ways. */
export const removedLocalChecks: readonly Mutant[] = [
  removedCheck(
    'a-command-that-nobody-allowed',
    ['mayRun', '$kept?.isAllowed === true', '$kept !== undefined'],
    ['hostile', 'hostile/local-servers.test.ts', 'LS-16'],
  ),
  removedCheck(
    'a-yes-to-a-list',
    ['listLocal', '{ values, isAllowed: false }', '{ values, isAllowed: true }'],
    ['contract', 'contract/programs/import.test.ts', 'runs it only on a yes to that command alone'],
  ),
  removedCheck(
    'words-outside-of-the-consent',
    ['commandHash', 'JSON.stringify($all)', 'JSON.stringify(path)'],
    ['hostile', 'hostile/local-servers.test.ts', 'whatever of it the settings file changes'],
  ),
  removedCheck(
    'all-of-our-environment',
    ['localEnvironment', 'isUsual($name)', "$name !== ''"],
    ['hostile', 'hostile/local-servers.test.ts', 'is no variable but the usual ones'],
  ),
  removedCheck(
    'a-crash-loop',
    ['KnownServer', '$times < localServers.ends.count', '$times < 99'],
    ['hostile', 'hostile/local-servers.test.ts', 'five times in all'],
  ),
  removedCheck(
    'a-consent-from-before-a-rest',
    ['createLocalServers', 'runnable = await read();', ''],
    ['hostile', 'hostile/local-servers.test.ts', 'LS-16'],
  ),
  removedCheck(
    'relative-folders-of-the-path',
    ['findCommand', '$places.filter((place) => path.isAbsolute(place))', '$places'],
    ['unit', 'unit/main/local/find-command.test.ts', 'relative folder'],
  ),
  removedCheck(
    'no-shell-around-a-command',
    ['LocalChild', "stdio: ['pipe', 'pipe', 'pipe']", "stdio: ['pipe', 'pipe', 'pipe'], shell: true"],
    ['hostile', 'hostile/local-servers.test.ts', 'LS-03'],
  ),
  removedCheck(
    'what-moves-in-output',
    ['showOutput', "withoutStyles($text).replace(hidden, '')", '$text'],
    ['contract', 'contract/desktop-local.test.ts', 'read, stopped and started'],
  ),
  removedCheck(
    'variables-that-decide-which-code-runs',
    ['decidesCode', 'names.has($known) || groups.test($known)', "$known === ''"],
    ['contract', 'contract/desktop-local.test.ts', 'LS-15'],
  ),
  removedCheck(
    'noise-without-end',
    ['LocalChild', '$noise.isExceededBy($each.byteLength)', 'false'],
    ['hostile', 'hostile/local-servers.test.ts', 'for text without end'],
  ),
  removedCheck(
    'output-kept-whole',
    ['OutputTail', 'this.#bytes > 2 * this.#limit || this.#parts.length > 4_096', 'this.#bytes < 0'],
    ['hostile', 'hostile/local-servers.test.ts', 'by what it writes without end'],
  ),
  removedCheck(
    'only-the-first-process',
    ['endGroup', 'process.kill(-pid, signal)', 'process.kill(pid, signal)'],
    ['hostile', 'hostile/local-servers.test.ts', 'ends with all that it has started'],
  ),
  removedCheck(
    'whoever-has-the-number-now',
    ['endOrphans', 'if ($running?.includes($child)) $$end;', 'if ($child.pid > 0) $$end;'],
    ['hostile', 'hostile/local-servers.test.ts', 'nothing else that has its number now'],
  ),
  removedCheck(
    'ids-of-each-session',
    ['SharedProcess', 'await this.#send({ ...$message, ...$own, id })', 'await this.#send({ ...$message, ...$own })'],
    ['hostile', 'hostile/shared-servers.test.ts', 'though they use the same ids'],
  ),
  removedCheck(
    'whatever-a-session-sends',
    ['SharedProcess', 'passed.has($method)', "$method !== ''"],
    ['hostile', 'hostile/shared-servers.test.ts', 'no log, question or word'],
  ),
  removedCheck(
    'cancellation-of-another',
    ['SharedProcess', 'if (asked.session !== $session || $rest) continue;', 'if ($rest) continue;'],
    ['hostile', 'hostile/shared-servers.test.ts', 'nothing but what is their own'],
  ),
  removedCheck(
    'any-word-to-a-process',
    ['readControl', 'isSameSecret($asked.secret, $secret)', '$asked.secret !== $secret'],
    ['hostile', 'hostile/local-servers.test.ts', 'neither starts nor stops it'],
  ),
];
