import { displayHost } from '../../address/display-host.ts';
import { withAgreed, hostsToAgree } from '../../integration/sign-in/agree-to-hosts.ts';
import type { Attempt } from '../connections/attempt.ts';
import type { Connection } from '../connections/connections.ts';
import { waitingFor } from '../connections/waiting.ts';

/** Takes a yes to the hosts of the trust card; one to others counts for nothing, and the sign-in asks for itself. */
export function allowHosts(connection: Connection, agreesTo: readonly string[]): void {
  const { discovery } = connection.flow.found.shown ?? {};
  const { options } = connection.wanted;
  const seen = new Set(agreesTo);
  const hosts = discovery ? hostsToAgree(discovery, { options }).filter((host) => seen.has(displayHost(host))) : [];
  if (hosts.length > 0) connection.wanted = { ...connection.wanted, options: withAgreed(options, hosts) };
}

/** The same to hosts that a sign-in under way asks about: all of them, or it goes on waiting. */
export function answerHosts(attempt: Pick<Attempt, 'waiting'> | undefined, agreesTo: readonly string[]): void {
  const question = waitingFor(attempt, 'hosts');
  if (question?.request.hosts.every((host) => agreesTo.includes(displayHost(host)))) question.answer(true);
}
