import { existsSync } from 'node:fs';
import { PosternError } from '../../errors/postern-error.ts';
import { profileSurroundings } from '../../host/installation.ts';
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
 * without `--vault`: a key that lies around is worse than none. Errors: USAGE, KEYRING_UNREADABLE.
 */
export async function openCommandKeychains(context: KeychainsContext): Promise<Keychains> {
  const { args, installation } = context;
  if (storesNothing(args)) return (await import('../../host/keychains.ts')).openKeychains(installation);
  const surroundings = profileSurroundings(installation);
  const named = optionValue(args, 'profile-folder');
  const env = named === undefined ? surroundings.env : { ...surroundings.env, POSTERN_HOME: named };
  const folder = profilePath({ ...surroundings, env });
  const found = peekKeyringKind(folder);
  if (found === 'unreadable') throw new PosternError('KEYRING_UNREADABLE', { stage: 'storage' });
  const wanted = optionValue(args, 'vault') as 'passphrase' | 'file' | undefined;
  const kind = found ?? wanted;
  if (kind === undefined) {
    const given = (['passphrase-fd', 'passphrase-file', 'key-file'] as const).find((name) => hasOption(args, name));
    if (given !== undefined)
      throw new UsageError(
        `Sign-ins here are encrypted with the keychain. To use --vault ${given === 'key-file' ? 'file' : 'passphrase'} --${given} instead, set POSTERN_HOME to an empty folder.`,
        args.command,
      );
    return (await import('../../host/keychains.ts')).openKeychains(installation);
  }
  if (wanted !== undefined && wanted !== kind)
    throw new UsageError(`Sign-ins here are already encrypted with a ${nameOf(kind)}.`, args.command);
  const { vaultPath } = await import('../../storage/vault/vault-file.ts');
  if (found === undefined && existsSync(vaultPath(folder)))
    throw new UsageError(
      'Sign-ins here are already encrypted with the keychain. For another vault, set POSTERN_HOME to an empty folder.',
      args.command,
    );
  const { createKeyring, keyringBackends } = await import('../../storage/keychain/keyring.ts');
  const { keyringSecret } = await import('./keyring-secret.ts');
  // Only on this path: with the computer's keychain, its process must start before anything else is loaded.
  const { createLocks } = await import('../../storage/files/kernel-locks.ts');
  if (found === undefined)
    await (await import('../../storage/profile/profile-folder.ts')).makeProfileFolder({ ...surroundings, env });
  const own = createKeyring({
    folder,
    kind,
    locks: createLocks(folder),
    mayCreate: wanted !== undefined,
    secret: (isNew) => keyringSecret(context, { kind, folder, isNew }),
  });
  // Create it now, not with the first secret: a server without a sign-in has none, and --vault is not given again.
  if (found === undefined) await own.probe();
  return { own, others: [], backend: keyringBackends[kind], async close() {} };
}

/** These commands neither store nor read secrets. */
function storesNothing(args: ParsedArguments): boolean {
  return args.command === 'with' || hasOption(args, 'memory');
}

function nameOf(kind: 'passphrase' | 'file'): string {
  return kind === 'file' ? 'key file' : 'passphrase';
}
