import { existsSync } from 'node:fs';
import { PosternError } from '../../errors/postern-error.ts';
import { profileSurroundings } from '../../host/installation.ts';
import type { Keychains } from '../../host/keychains.ts';
import { glanceAtKeyring } from '../../storage/keychain/keychain-service.ts';
import { profilePath } from '../../storage/profile/profile-path.ts';
import type { CommandContext } from '../command-context.ts';
import { hasOption, optionValue, UsageError } from '../options/parse-arguments.ts';
import type { ParsedArguments } from '../options/parse-arguments.ts';

type Opening = Pick<CommandContext, 'args' | 'installation' | 'stdin' | 'canAsk' | 'prompt' | 'signal' | 'output'>;

/**
 * The keychain of this computer, or the keyring of the profile where it has one, or where somebody says with `--vault`
 * that it is to have one. Never by itself: a key that lies about is worse than none. Errors: USAGE, KEYRING_UNREADABLE.
 */
export async function openCommandKeychains(context: Opening): Promise<Keychains> {
  const { args, installation } = context;
  if (keepsNothing(args)) return (await import('../../host/keychains.ts')).openKeychains(installation);
  const surroundings = profileSurroundings(installation);
  const named = optionValue(args, 'profile-folder');
  const env = named === undefined ? surroundings.env : { ...surroundings.env, POSTERN_HOME: named };
  const folder = profilePath({ ...surroundings, env });
  const found = glanceAtKeyring(folder);
  if (found === 'unreadable') throw new PosternError('KEYRING_UNREADABLE', { stage: 'storage' });
  const wanted = optionValue(args, 'vault') as 'passphrase' | 'file' | undefined;
  const kind = found ?? wanted;
  if (kind === undefined) {
    const given = (['passphrase-fd', 'passphrase-file', 'key-file'] as const).find((name) => hasOption(args, name));
    if (given !== undefined)
      throw new UsageError(
        `Sign-ins here are sealed by the keychain of this computer. For a profile of its own kind: --vault ${given === 'key-file' ? 'file' : 'passphrase'} --${given}, in an empty POSTERN_HOME.`,
        args.command,
      );
    return (await import('../../host/keychains.ts')).openKeychains(installation);
  }
  if (wanted !== undefined && wanted !== kind)
    throw new UsageError(`Sign-ins here are sealed with a ${nameOf(kind)} already.`, args.command);
  const { vaultPath } = await import('../../storage/vault/vault-file.ts');
  if (found === undefined && existsSync(vaultPath(folder)))
    throw new UsageError(
      'Sign-ins here are sealed by the keychain of this computer already. Choose an empty folder (POSTERN_HOME) for others.',
      args.command,
    );
  const { createKeyring, keyringBackends } = await import('../../storage/keychain/keyring.ts');
  const { keyringSecret } = await import('./keyring-secret.ts');
  // Here alone: with the keychain of this computer nothing is to be loaded before its process starts.
  const { createLocks } = await import('../../storage/files/kernel-locks.ts');
  if (found === undefined)
    await (await import('../../storage/profile/profile-folder.ts')).makeProfileFolder({ ...surroundings, env });
  const own = createKeyring({
    folder,
    kind,
    locks: createLocks(folder),
    mayMake: wanted !== undefined,
    secret: (isNew) => keyringSecret(context, { kind, folder, isNew }),
  });
  // Made now, not with the first secret: a server without a sign-in has none, and no later command need say it again.
  if (found === undefined) await own.prove();
  return { own, others: [], backend: keyringBackends[kind], async close() {} };
}

/** Nothing is sealed then, and nothing opened. */
function keepsNothing(args: ParsedArguments): boolean {
  return args.command === 'with' || hasOption(args, 'memory');
}

function nameOf(kind: 'passphrase' | 'file'): string {
  return kind === 'file' ? 'key file' : 'passphrase';
}
