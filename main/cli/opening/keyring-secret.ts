import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { secretBytes, createKeyFile, readSecretDescriptor, readSecretFile } from '../../storage/keychain/key-file.ts';
import type { KeyringKind } from '../../storage/keychain/keyring.ts';
import { readHiddenLine } from '../interaction/terminal-user.ts';
import type { CommandContext } from '../command-context.ts';
import { optionValue, UsageError } from '../options/parse-arguments.ts';

/** Variables that name a file with the secret. The secret itself is never read from the environment. */
export const secretVariables = { passphrase: 'POSTERN_PASSPHRASE_FILE', file: 'POSTERN_KEY_FILE' } as const;
/** Names of systemd service credentials (systemd.exec, Credentials). */
const credentials = { passphrase: 'postern-passphrase', file: 'postern-key' } as const;
/** The only standard stream that can be read. */
const standardInput = 0;
const highestDescriptor = 1_023;

type SecretContext = Pick<CommandContext, 'args' | 'stdin' | 'canAsk' | 'prompt' | 'signal' | 'output'>;

/**
 * Reads the secret for the profile's keyring: from a descriptor, a file, a variable that names a file, a systemd
 * credential, or the terminal. `isNew`: the keyring is being created, and so is a missing key file. Errors: KEY_FILE_*,
 * USAGE.
 */
export async function keyringSecret(
  context: SecretContext,
  { kind, folder, isNew }: { readonly kind: KeyringKind; readonly folder: string; readonly isNew: boolean },
): Promise<Buffer> {
  const bytes = kind === 'file' ? await readKey(context, folder, isNew) : await readPassphrase(context, isNew);
  const minLength = kind === 'file' ? secretBytes.minKeyFile : isNew ? secretBytes.minPassphrase : 1;
  if (bytes.length >= minLength) return bytes;
  const what = kind === 'file' ? 'key file' : 'passphrase';
  throw new UsageError(`A ${what} needs at least ${minLength} bytes.`, context.args.command);
}

async function readKey({ args, output }: SecretContext, folder: string, isNew: boolean): Promise<Buffer> {
  const source = secretFile('file', optionValue(args, 'key-file'));
  if (source === undefined)
    throw new UsageError(
      `Sign-ins here are encrypted with a key file. Name it with --key-file FILE or ${secretVariables.file}.`,
      args.command,
    );
  const { file, credential } = source;
  if (isInside(folder, file))
    throw new UsageError(
      'The key file must be outside the profile folder. Next to the data, it protects nothing.',
      args.command,
    );
  if (!isNew || existsSync(file)) return await readSecretFile(file, { credential });
  const key = await createKeyFile(file);
  output.notify(
    'Created a new key file. Keep it safe: anyone with it and this folder has your sign-ins. Without it, they are lost.',
  );
  return key;
}

async function readPassphrase(context: SecretContext, isNew: boolean): Promise<Buffer> {
  const { args, canAsk } = context;
  const descriptor = optionValue(args, 'passphrase-fd');
  if (descriptor !== undefined) return withoutLineEnd(readSecretDescriptor(parseDescriptor(descriptor, context)));
  const source = secretFile('passphrase', optionValue(args, 'passphrase-file'));
  if (source) return withoutLineEnd(await readSecretFile(source.file, { credential: source.credential }));
  if (!canAsk)
    throw new UsageError(
      `Sign-ins here are encrypted with a passphrase. Give it with --passphrase-fd N or --passphrase-file FILE, or name a file in ${secretVariables.passphrase}.`,
      args.command,
    );
  const typed = await askPassphrase(context, 'Passphrase (hidden): ');
  if (isNew && !typed.equals(await askPassphrase(context, 'Repeat the passphrase: ')))
    throw new UsageError('The passphrases do not match.', args.command);
  return typed;
}

async function askPassphrase({ stdin, prompt, signal }: SecretContext, question: string): Promise<Buffer> {
  return Buffer.from((await readHiddenLine(stdin, () => prompt(question), signal)) ?? '');
}

function secretFile(
  kind: KeyringKind,
  option: string | undefined,
): { readonly file: string; readonly credential: boolean } | undefined {
  const fileName = option ?? (process.env[secretVariables[kind]] || undefined);
  if (fileName !== undefined) return { file: path.resolve(fileName), credential: false };
  const folder = process.env['CREDENTIALS_DIRECTORY'];
  if (!folder || !path.isAbsolute(folder)) return undefined;
  const file = path.join(folder, credentials[kind]);
  return existsSync(file) ? { file, credential: true } : undefined;
}

function parseDescriptor(text: string, { args }: SecretContext): number {
  const descriptor = /^\d{1,4}$/u.test(text) ? Number(text) : -1;
  const isUsable = descriptor === standardInput || (descriptor > 2 && descriptor <= highestDescriptor);
  if (isUsable) return descriptor;
  throw new UsageError('--passphrase-fd needs the number of an open file descriptor: 0, or 3 and up.', args.command);
}

/** Drops the line end that editors and `echo` add. */
function withoutLineEnd(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  return bytes.subarray(0, text.replace(/\r?\n$/u, '').length);
}

function isInside(folder: string, file: string): boolean {
  const real = (target: string): string => {
    try {
      return realpathSync(target);
    } catch {
      return path.resolve(target);
    }
  };
  const resolved = existsSync(file) ? real(file) : path.join(real(path.dirname(file)), path.basename(file));
  const rest = path.relative(real(folder), resolved);
  // On Windows, `relative` returns an absolute path for another drive.
  return !rest.startsWith('..') && !path.isAbsolute(rest);
}
