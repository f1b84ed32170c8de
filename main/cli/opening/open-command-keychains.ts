import { existsSync } from 'node:fs';
import { PosternError } from '../../errors/postern-error.ts';
import { profileEnvironment } from '../../host/installation.ts';
import type { Keychains } from '../../host/keychains.ts';
import { peekKeyringKind } from '../../storage/keychain/keychain-service.ts';
import { profilePath } from '../../storage/profile/profile-path.ts';
import type { CommandContext } from '../command-context.ts';
import { hasOption, optionValue, UsageError } from '../options/parse-arguments.ts';
import type { ParsedArguments } from '../options/parse-arguments.ts';

type KeychainsContext = Pick<
  CommandContext,
  'args' | 'installation' | 'stdin' | 'canAsk' | 'prompt' | 'signal' | 'output'
>;

/**
 * The computer's keychain, or the profile's keyring if it has one or `--vault` asks for one. A keyring is never created
 * without `--vault`, because a forgotten key is worse than none. Errors: USAGE, KEYRING_UNREADABLE.
 */
export async function openCommandKeychains(context: KeychainsContext): Promise<Keychains> {
  const { args, installation } = context;
  if (storesNothing(args)) return (await import('../../host/keychains.ts')).openKeychains(installation);
  const surroundings = profileEnvironment(installation);
  const profileFolder = optionValue(args, 'profile-folder');
  const env = profileFolder === undefined ? surroundings.env : { ...surroundings.env, POSTERN_HOME: profileFolder };
  const folder = profilePath({ ...surroundings, env });
  const existing = peekKeyringKind(folder);
  if (existing === 'unreadable') throw new PosternError('KEYRING_UNREADABLE', { stage: 'storage' });
  const requested = optionValue(args, 'vault') as 'passphrase' | 'file' | undefined;
  const kind = existing ?? requested;
  if (kind === undefined) {
    const option = (['passphrase-fd', 'passphrase-file', 'key-file'] as const).find((name) => hasOption(args, name));
    if (option !== undefined)
      throw new UsageError(
        `Sign-ins here are encrypted with the keychain. To use --vault ${option === 'key-file' ? 'file' : 'passphrase'} --${option} instead, set POSTERN_HOME to an empty folder.`,
        args.command,
      );
    return (await import('../../host/keychains.ts')).openKeychains(installation);
  }
  if (requested !== undefined && requested !== kind)
    throw new UsageError(`Sign-ins here are already encrypted with a ${nameOf(kind)}.`, args.command);
  const { vaultPath } = await import('../../storage/vault/vault-file.ts');
  if (existing === undefined && existsSync(vaultPath(folder)))
    throw new UsageError(
      'Sign-ins here are already encrypted with the keychain. For another vault, set POSTERN_HOME to an empty folder.',
      args.command,
    );
  const { createKeyring, keyringBackends } = await import('../../storage/keychain/keyring.ts');
  const { keyringSecret } = await import('./keyring-secret.ts');
  // Only on this path: with the computer's keychain, its process must start before anything else is loaded.
  const { createLocks } = await import('../../storage/files/kernel-locks.ts');
  if (existing === undefined)
    (await import('../../storage/profile/profile-folder.ts')).makeProfileFolder({ ...surroundings, env });
  const own = createKeyring({
    folder,
    kind,
    locks: createLocks(folder),
    mayCreate: requested !== undefined,
    secret: (isNew) => keyringSecret(context, { kind, folder, isNew }),
  });
  // Create it now, not with the first secret: a server without a sign-in has none, and --vault is not given again.
  if (existing === undefined) await own.probe();
  return { own, others: [], backend: keyringBackends[kind], async close() {} };
}

/** These commands neither store nor read secrets. */
function storesNothing(args: ParsedArguments): boolean {
  return args.command === 'with' || hasOption(args, 'memory');
}

function nameOf(kind: 'passphrase' | 'file'): string {
  return kind === 'file' ? 'key file' : 'passphrase';
}
