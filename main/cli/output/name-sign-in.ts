import { wantsSignIn } from '../../../shared/wants-sign-in.ts';
import { PosternError } from '../../postern-error.ts';
import type { CommandName } from '../options/command-specs.ts';
import { writeReference } from './write-reference.ts';

/**
 * An error whose next step names the command that signs in: `token` and others have no `--sign-in`, and only the same
 * call is told which further rights it needs. `name` is the integration's. Other errors stay as they are.
 */
export function nameSignIn(
  error: PosternError,
  command: CommandName | undefined,
  name: string | undefined,
): PosternError {
  // A renewal that fails for hours is one too: signing out is then the way out.
  if ((!wantsSignIn(error) && error.code !== 'REFRESH_TRANSIENT') || name === undefined) return error;
  const { code, stage, cause, detail } = error;
  const ways = {
    signIn: describeSignIn(command, name),
    signOut: `\`postern sign-out ${writeReference(name)}\``,
  };
  return new PosternError(code, { stage, cause, detail: { ...detail, ...ways } });
}

function describeSignIn(command: CommandName | undefined, name: string): string {
  switch (command) {
    case 'call':
      return 'repeat this `postern call` with --sign-in browser';
    case 'connect':
    case 'tools':
      return `\`postern tools ${writeReference(name)} --sign-in browser\``;
    default:
      return `\`postern refresh ${writeReference(name)} --sign-in browser\``;
  }
}
