import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { keySecret, makeKeyFile, readSecretDescriptor, readSecretFile } from '../../storage/keychain/key-file.ts';
import type { KeyringKind } from '../../storage/keychain/keyring.ts';
import { readHiddenLine } from '../asking/terminal-user.ts';
import type { CommandContext } from '../command-context.ts';
import { optionValue, UsageError } from '../options/parse-arguments.ts';

/** Variables that name a file with the secret. The secret itself is never taken from the environment. */
export const secretVariables = { passphrase: 'POSTERN_PASSPHRASE_FILE', file: 'POSTERN_KEY_FILE' } as const;
/** Names of credentials that systemd hands to a service (systemd.exec, Credentials). */
const credentials = { passphrase: 'postern-passphrase', file: 'postern-key' } as const;
/** The only standard stream that is read. */
const standardInput = 0;
const highestDescriptor = 1_023;

type Asking = Pick<CommandContext, 'args' | 'stdin' | 'canAsk' | 'prompt' | 'signal' | 'output'>;

/**
 * What opens the keyring of a profile: by a descriptor, a file, a variable that names a file, a credential of systemd,
 * or at a terminal. `isNew`: the keyring is being made, and so is a key file that is not there. Errors: KEY_FILE_*,
 * USAGE.
 */
export async function keyringSecret(
  context: Asking,
  { kind, folder, isNew }: { readonly kind: KeyringKind; readonly folder: string; readonly isNew: boolean },
): Promise<Buffer> {
  const bytes = kind === 'file' ? await readKey(context, folder, isNew) : await readPassphrase(context, isNew);
  const least = kind === 'file' ? keySecret.file : isNew ? keySecret.passphrase : 1;
  if (bytes.length >= least) return bytes;
  const what = kind === 'file' ? 'key file' : 'passphrase';
  throw new UsageError(`A ${what} needs at least ${least} bytes.`, context.args.command);
}

async function readKey({ args, output }: Asking, folder: string, isNew: boolean): Promise<Buffer> {
  const place = placeOf('file', optionValue(args, 'key-file'));
  if (place === undefined)
    throw new UsageError(
      `Sign-ins here are sealed with a key file. Name it: --key-file FILE, or the variable ${secretVariables.file}.`,
      args.command,
    );
  const { file, credential } = place;
  if (isInside(folder, file))
    throw new UsageError('A key file beside what it opens protects nothing: put it into another folder.', args.command);
  if (!isNew || existsSync(file)) return await readSecretFile(file, { credential });
  const made = await makeKeyFile(file);
  output.tell('A new key file was made. Whoever has it and this folder has the sign-ins; without it they are lost.');
  return made;
}

async function readPassphrase(context: Asking, isNew: boolean): Promise<Buffer> {
  const { args, canAsk } = context;
  const descriptor = optionValue(args, 'passphrase-fd');
  if (descriptor !== undefined) return withoutLineEnd(readSecretDescriptor(readNumber(descriptor, context)));
  const place = placeOf('passphrase', optionValue(args, 'passphrase-file'));
  if (place) return withoutLineEnd(await readSecretFile(place.file, { credential: place.credential }));
  if (!canAsk)
    throw new UsageError(
      `Sign-ins here are sealed with a passphrase. Give it by --passphrase-fd N, --passphrase-file FILE or the variable ${secretVariables.passphrase}, which names a file.`,
      args.command,
    );
  const typed = await ask(context, 'Passphrase (it is not shown): ');
  if (isNew && !typed.equals(await ask(context, 'The same once more: ')))
    throw new UsageError('The two passphrases are not the same.', args.command);
  return typed;
}

async function ask({ stdin, prompt, signal }: Asking, question: string): Promise<Buffer> {
  return Buffer.from((await readHiddenLine(stdin, () => prompt(question), signal)) ?? '');
}

function placeOf(
  kind: KeyringKind,
  option: string | undefined,
): { readonly file: string; readonly credential: boolean } | undefined {
  const named = option ?? (process.env[secretVariables[kind]] || undefined);
  if (named !== undefined) return { file: path.resolve(named), credential: false };
  const folder = process.env['CREDENTIALS_DIRECTORY'];
  if (!folder || !path.isAbsolute(folder)) return undefined;
  const file = path.join(folder, credentials[kind]);
  return existsSync(file) ? { file, credential: true } : undefined;
}

function readNumber(text: string, { args }: Asking): number {
  const descriptor = /^\d{1,4}$/u.test(text) ? Number(text) : -1;
  const isUsable = descriptor === standardInput || (descriptor > 2 && descriptor <= highestDescriptor);
  if (isUsable) return descriptor;
  throw new UsageError('--passphrase-fd needs the number of an open descriptor: 0, or 3 and more.', args.command);
}

/** Of what an editor or `echo` puts at the end of a file. */
function withoutLineEnd(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  return bytes.subarray(0, text.replace(/\r?\n$/u, '').length);
}

function isInside(folder: string, file: string): boolean {
  const real = (place: string): string => {
    try {
      return realpathSync(place);
    } catch {
      return path.resolve(place);
    }
  };
  const place = existsSync(file) ? real(file) : path.join(real(path.dirname(file)), path.basename(file));
  const rest = path.relative(real(folder), place);
  // On Windows there is no relative way to another drive.
  return !rest.startsWith('..') && !path.isAbsolute(rest);
}
