import type { HostsRequest } from '../../integration/sign-in/sign-in-interaction.ts';
import { printableLine } from '../text/printable.ts';
import type { Terminal } from './terminal-credentials.ts';

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
