import { timeOfDay } from '../../../shared/error-catalog/catalog-entry.ts';
import type { CredentialsRequest, HostsRequest, TypedCredentials } from '../../engine/sign-in/sign-in-interaction.ts';
import { toPlainError } from '../../errors/postern-error.ts';
import { addressOfKey } from '../../issuer-key.ts';
import { readTypedClient } from '../../oauth/client/client-credentials.ts';
import type { StdinLines } from '../terminal/terminal-input.ts';
import { printableLine } from '../text.ts';
import { readHiddenLine } from './terminal-user.ts';

export interface Terminal {
  readonly stdin: StdinLines;
  /** Writes to the terminal without a line end. */
  readonly write: (text: string) => void;
}

/**
 * Asks for OAuth client credentials (spec 2.11). Shows the callback URL first, because the service wants it before it
 * issues a client ID. `undefined`: end of input.
 */
export async function askCredentialsOnTerminal(
  { stdin, write }: Terminal,
  request: CredentialsRequest,
  signal: AbortSignal,
): Promise<TypedCredentials | 'try-again' | undefined> {
  write(`${describeRequest(request).join('\n')}\n\n`);
  const clientId = await askClientId({ stdin, write }, request, signal);
  if (clientId === undefined) return undefined;
  if (clientId === '') return 'try-again';
  const isEarlier = clientId === request.earlier?.clientId;
  const hint = isEarlier && request.earlier?.secretStored ? 'Enter keeps the saved one' : 'Enter if there is none';
  const secret = await readHiddenLine(stdin, () => write(`Client secret (${hint}): `), signal);
  write('\n');
  if (secret === undefined) return undefined;
  if (secret === '' && isEarlier) return 'try-again';
  return readTypedClient({ clientId, clientSecret: secret });
}

function describeRequest(request: CredentialsRequest): string[] {
  const lines = [''];
  if (request.error) {
    const { message, code } = toPlainError(request.error);
    lines.push(`${message} (${code})`, '');
  }
  lines.push(
    describeNeed(request),
    '',
    `  Callback URL  ${request.callbackUrl}`,
    `  Sign-in at    ${printableLine(addressOfKey(request.issuerKey), 200)}`,
  );
  if (request.scopes.length > 0) lines.push(`  Scopes        ${scopeText(request.scopes)}`);
  if (request.otherScopes.length > 0) lines.push(`  Other scopes  ${scopeText(request.otherScopes)}`);
  lines.push('', 'Register the callback URL there and allow the scopes. Tools fail without the scopes they need.');
  lines.push('Then enter the credentials that the service shows. Press Ctrl-C to cancel.');
  return lines;
}

function describeNeed({ serverUrl, earlier, tryAgain }: CredentialsRequest): string {
  const host = printableLine(new URL(serverUrl).host);
  if (tryAgain) {
    const until = tryAgain.kind === 'passing' ? tryAgain.until : undefined;
    const when = until === undefined ? '' : ` after ${timeOfDay(until)}`;
    return `Press Enter to try again${when}. If that does not help, create an OAuth app at the service:`;
  }
  if (earlier) return `Check the OAuth app for ${host} at the service:`;
  return `${host} needs an OAuth app. Create one at the service:`;
}

function scopeText(scopes: readonly string[]): string {
  return printableLine(scopes.join(' '), 400);
}

/** Empty: try again without credentials. `undefined`: end of input. */
async function askClientId(
  { stdin, write }: Terminal,
  { earlier, tryAgain }: CredentialsRequest,
  signal: AbortSignal,
): Promise<string | undefined> {
  const earlierClientId = tryAgain ? undefined : earlier?.clientId;
  const hint = tryAgain
    ? ' (Enter tries again)'
    : earlierClientId === undefined
      ? ''
      : ` (Enter keeps ${printableLine(earlierClientId)})`;
  for (;;) {
    write(`Client ID${hint}: `);
    const line = await stdin.next(signal);
    if (line === undefined) {
      write('\n');
      return undefined;
    }
    const clientId = line.trim() || (tryAgain ? '' : earlierClientId);
    if (clientId !== undefined) return clientId;
    write('Enter the client ID. The service shows it with the OAuth app.\n');
  }
}

/** Asks the user to confirm new sign-in hosts. `undefined`: end of input. */
export async function askHostsOnTerminal(
  { stdin, write }: Terminal,
  request: HostsRequest,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const [service, page, token] = [request.service, request.page, request.token].map((host) => printableLine(host, 260));
  const hosts = request.hosts.map((host) => printableLine(host, 260)).join(' and ');
  write(
    [
      '',
      'This sign-in uses hosts that may have different owners, or that you have not confirmed yet:',
      '',
      `  Sign-in service  ${service}`,
      `  Sign-in page     ${page}`,
      `  Token endpoint   ${token}`,
      '',
      `This can be normal, but an attacker could do it too. Continue only if you expected ${hosts}.`,
      'Use these hosts for this server? [y/N] ',
    ].join('\n'),
  );
  const reply = await stdin.next(signal);
  if (reply === undefined) write('\n');
  return reply === undefined ? undefined : /^y(es)?$/iu.test(reply.trim());
}
