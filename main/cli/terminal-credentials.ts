import type { CredentialsRequest, TypedCredentials } from '../integration/sign-in-interaction.ts';
import { toPlainError } from '../plain-error.ts';
import { Secret } from '../secret.ts';
import { printableLine } from './printable.ts';
import { readHiddenLine } from './read-hidden-line.ts';
import type { StdinLines } from './stdin-lines.ts';

export interface Terminal {
  readonly stdin: StdinLines;
  /** Writes to the terminal as it is, without a line end. */
  readonly write: (text: string) => void;
}

/**
 * The credential dialog on a terminal (spec 2.11): the callback URL first, since the app at the service needs it
 * before there is an id. `undefined`: the input ended, so nobody types.
 */
export async function askOnTerminal(
  { stdin, write }: Terminal,
  request: CredentialsRequest,
  signal: AbortSignal,
): Promise<TypedCredentials | 'try-again' | undefined> {
  write(`${describeRequest(request).join('\n')}\n\n`);
  const clientId = await askClientId({ stdin, write }, request, signal);
  if (clientId === undefined) return undefined;
  const isEarlier = clientId === request.earlier?.clientId;
  const hint = isEarlier && request.earlier?.secretKept ? 'Enter keeps the earlier one' : 'Enter if there is none';
  const secret = await readHiddenLine(stdin, () => write(`Client secret (${hint}): `), signal);
  write('\n');
  if (secret === undefined) return undefined;
  if (secret !== '') return { clientId, clientSecret: new Secret(secret) };
  return isEarlier ? 'try-again' : { clientId };
}

function describeRequest(request: CredentialsRequest): string[] {
  const lines = [''];
  if (request.error) {
    const { message, code } = toPlainError(request.error);
    lines.push(`${message} (${code})`, '');
  }
  lines.push(
    `${printableLine(new URL(request.serverUrl).host)} needs an app that you create at the service, once:`,
    '',
    `  Callback URL  ${request.callbackUrl}`,
    `  Sign-in at    ${printableLine(request.issuer, 200)}`,
  );
  if (request.scopes.length > 0) lines.push(`  Scopes        ${shownScopes(request.scopes)}`);
  if (request.otherScopes.length > 0) lines.push(`  Also offered  ${shownScopes(request.otherScopes)}`);
  lines.push('', 'Enter the callback URL there and allow the scopes: tools that lack one will fail.');
  lines.push('Then type what the service gave you. Ctrl-C ends.');
  return lines;
}

function shownScopes(scopes: readonly string[]): string {
  return printableLine(scopes.join(' '), 400);
}

async function askClientId(
  { stdin, write }: Terminal,
  { earlier }: CredentialsRequest,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (;;) {
    write(earlier ? `Client id (Enter keeps ${printableLine(earlier.clientId)}): ` : 'Client id: ');
    const line = await stdin.next(signal);
    if (line === undefined) {
      write('\n');
      return undefined;
    }
    const clientId = line.trim() || earlier?.clientId;
    if (clientId !== undefined) return clientId;
    write('A client id is needed; the service shows it with the app.\n');
  }
}
