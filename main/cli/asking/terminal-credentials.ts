import { timeOfDay } from '../../../shared/error-catalogue/catalogue-entry.ts';
import type { CredentialsRequest, HostsRequest, TypedCredentials } from '../../engine/sign-in/sign-in-interaction.ts';
import { toPlainError } from '../../errors/postern-error.ts';
import { addressOfKey } from '../../issuer-key.ts';
import { readTypedClient } from '../../oauth/client/client-credentials.ts';
import type { StdinLines } from '../terminal/terminal-input.ts';
import { printableLine } from '../text.ts';
import { readHiddenLine } from './terminal-user.ts';

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
  if (clientId === '') return 'try-again';
  const isEarlier = clientId === request.earlier?.clientId;
  const hint = isEarlier && request.earlier?.secretKept ? 'Enter keeps the earlier one' : 'Enter if there is none';
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
  if (request.scopes.length > 0) lines.push(`  Scopes        ${shownScopes(request.scopes)}`);
  if (request.otherScopes.length > 0) lines.push(`  Also offered  ${shownScopes(request.otherScopes)}`);
  lines.push('', 'Enter the callback URL there and allow the scopes: tools that lack one will fail.');
  lines.push('Then type what the service gave you. Ctrl-C ends.');
  return lines;
}

function describeNeed({ serverUrl, earlier, tryAgain }: CredentialsRequest): string {
  const host = printableLine(new URL(serverUrl).host);
  if (tryAgain) {
    const until = tryAgain.kind === 'passing' ? tryAgain.until : undefined;
    const when = until === undefined ? '' : ` after ${timeOfDay(until)}`;
    return `Press Enter to try again${when}. If that does not help, you can create an app at the service, once:`;
  }
  if (earlier) return `Check the app for ${host} at the service:`;
  return `${host} needs an app that you create at the service, once:`;
}

function shownScopes(scopes: readonly string[]): string {
  return printableLine(scopes.join(' '), 400);
}

/** Empty: try again with the client that Postern comes by itself. `undefined`: the input ended. */
async function askClientId(
  { stdin, write }: Terminal,
  { earlier, tryAgain }: CredentialsRequest,
  signal: AbortSignal,
): Promise<string | undefined> {
  const typedBefore = tryAgain ? undefined : earlier?.clientId;
  const hint = tryAgain
    ? ' (Enter tries again)'
    : typedBefore === undefined
      ? ''
      : ` (Enter keeps ${printableLine(typedBefore)})`;
  for (;;) {
    write(`Client id${hint}: `);
    const line = await stdin.next(signal);
    if (line === undefined) {
      write('\n');
      return undefined;
    }
    const clientId = line.trim() || (tryAgain ? '' : typedBefore);
    if (clientId !== undefined) return clientId;
    write('A client id is needed; the service shows it with the app.\n');
  }
}

/** Has a person look at the hosts of a sign-in that they have not all agreed to. `undefined`: the input ended. */
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
      'These take part in this sign-in. They are not known to have one owner, or not to be those that you saw:',
      '',
      `  Sign-in service  ${service}`,
      `  Sign-in page     ${page}`,
      `  Gets its answer  ${token}`,
      '',
      `Some services are made that way, and so is a trap. Go on only if you expected ${hosts} here.`,
      'Use these hosts for this server? [y/N] ',
    ].join('\n'),
  );
  const answer = await stdin.next(signal);
  if (answer === undefined) write('\n');
  return answer === undefined ? undefined : /^y(es)?$/iu.test(answer.trim());
}
