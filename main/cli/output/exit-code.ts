import { errorCatalogue } from '../../../shared/error-catalogue.ts';
import type { ErrorCode } from '../../../shared/error-codes.ts';
import { PosternError } from '../../postern-error.ts';
import { CommandNotFound, CommandNotRunnable } from '../../request-error.ts';
import { wayOutOf } from '../../../shared/way-out.ts';
import type { CommandName } from '../options/command-specs.ts';

export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  signIn: 3,
  notRunnable: 126,
  notFound: 127,
  interrupted: 130,
} as const;

/** Commands that use a connection; anywhere else a refused sign-in is a plain failure. */
const usingCommands: readonly (CommandName | undefined)[] = [
  'tools',
  'call',
  'review',
  'resources',
  'read',
  'prompts',
  'prompt',
  'token',
  'exec',
  'refresh',
  'switch',
  'import',
  'with',
];

/**
 * The exit code for an error of `command`: 3 says that only a user can help, by signing in again or with a key; 126 and
 * 127 that the command which was to run could not (POSIX). Anything that is not ours is INTERNAL.
 */
export function exitCode(error: unknown, command: CommandName | undefined): number {
  if (command !== 'import' && error instanceof CommandNotFound) return exitCodes.notFound;
  if (command !== 'import' && error instanceof CommandNotRunnable) return exitCodes.notRunnable;
  const code: ErrorCode = error instanceof PosternError ? error.code : 'INTERNAL';
  if (code === 'USAGE') return exitCodes.usage;
  if (code === 'USER_CANCELLED' || code === 'CALL_INTERRUPTED') return exitCodes.interrupted;
  if (wayOutOf(errorCatalogue[code].remedy) && usingCommands.includes(command)) return exitCodes.signIn;
  return exitCodes.failed;
}
