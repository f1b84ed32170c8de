import type { z } from 'zod';
import type { IpcContract } from '../../../shared/ipc-contract.ts';
import type { TypedCredentials } from '../../integration/sign-in/sign-in-interaction.ts';
import { hasProof, proofOf } from '../../oauth/client/client-credentials.ts';
import { readClientProof } from '../../oauth/client/typed-client-key.ts';
import { PosternError } from '../../postern-error.ts';
import { checkEndpoints } from './check-endpoints.ts';
import { defaultOptions, leadToSameVerdict, withoutSecretMethod } from '../connections/default-options.ts';
import type { DesktopContext } from '../desktop-context.ts';
import type { Connection } from '../connections/connections.ts';
import { startNewSignIn, startSignIn } from './start-connection.ts';
import { waitingFor } from '../connections/waiting.ts';

type Input = z.output<IpcContract['connection:submitCredentials']['input']>;

/**
 * What the credential dialog sends. Other options than before hold from the start of a sign-in, so it starts again
 * with them and with what was typed; the earlier secret stays when client and service are the same.
 * Errors: STATE_EXPIRED when nothing is asked any more; CLIENT_KEY_INVALID; those of the address rule for typed endpoints.
 */
export async function submitCredentials(context: DesktopContext, connection: Connection, input: Input): Promise<void> {
  const question = waitingFor(connection.attempt, 'credentials');
  if (!question) throw new PosternError('STATE_EXPIRED', { stage: 'credentials' });
  const { clientId, clientSecret, clientAuthentication, secretExpiresAt, options } = input;
  const { issuerKey, callbackUrl } = question.request;
  const { wanted } = connection;
  const earlier = wanted.typed?.client;
  const kept = earlier?.clientId === clientId && earlier.issuerKey === issuerKey ? proofOf(earlier) : {};
  const proof = clientSecret === undefined ? kept : readClientProof(clientSecret.trim());
  const typed: TypedCredentials = {
    clientId,
    ...proof,
    ...(hasProof(proof) && { issuerKey }),
    ...(clientAuthentication && { authentication: clientAuthentication }),
    ...(secretExpiresAt !== undefined && { secretExpiresAt }),
  };
  connection.wanted = { ...wanted, typed: { client: { ...typed, issuerKey }, callbackUrl } };
  const before = withoutSecretMethod(wanted.options);
  const changes = options !== undefined || wanted.options.clientAuthentication !== undefined;
  const chosen = changes ? defaultOptions({ ...before, ...options }) : undefined;
  if (chosen) checkEndpoints(wanted.url, chosen);
  if (!chosen || JSON.stringify(chosen) === JSON.stringify(wanted.options)) return question.answer(typed);

  const leadElsewhere = !leadToSameVerdict(chosen, wanted.options);
  if (leadElsewhere) connection.flow.doubt();
  // What is typed together with such choices is meant for the service that they lead to.
  const isForNext = leadElsewhere && clientSecret !== undefined;
  const { issuerKey: _asked, ...forNext } = typed;
  const credentials = isForNext ? forNext : typed;
  const client = leadElsewhere ? credentials : { ...typed, issuerKey };
  connection.wanted = { ...wanted, options: chosen, typed: { client, callbackUrl } };
  const { purpose } = connection;
  if (purpose.kind === 'connect') return startSignIn(context, connection, credentials);
  const { integrationId } = purpose;
  await context.ports.store.update(integrationId, (integration) => ({ ...integration, options: chosen }));
  startNewSignIn(context, connection, integrationId, { typed: credentials });
}
