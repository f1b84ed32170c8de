import type { z } from 'zod';
import type { IpcContract } from '../../../shared/ipc-contract.ts';
import type { TypedCredentials } from '../../integration/sign-in/sign-in-interaction.ts';
import { PosternError } from '../../postern-error.ts';
import { Secret } from '../../secret.ts';
import { checkEndpoints } from '../calls/check-endpoints.ts';
import type { Connection } from './connection.ts';
import { defaultOptions, leadToSameVerdict } from '../default-options.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { startNewSignIn, startSignIn } from './start-connection.ts';

type Input = z.output<IpcContract['connection:submitCredentials']['input']>;

/**
 * What the credential dialog sends. Other options than before hold from the start of a sign-in, so it starts again
 * with them and with what was typed; the earlier secret stays when client and service are the same.
 * Errors: STATE_EXPIRED when nothing is asked any more; those of the address rule for typed endpoints.
 */
export async function submitCredentials(context: DesktopContext, connection: Connection, input: Input): Promise<void> {
  const { credentials: question } = connection;
  if (!question) throw new PosternError('STATE_EXPIRED', { stage: 'credentials' });
  const { clientId, clientSecret, clientAuthentication, secretExpiresAt, options } = input;
  const { issuer } = question.asked;
  const earlier = connection.typedSecret;
  const kept = earlier?.clientId === clientId && earlier.issuer === issuer ? earlier.secret : undefined;
  const secret = clientSecret === undefined ? kept : new Secret(clientSecret.trim());
  connection.typedSecret = secret && { clientId, secret, issuer };
  const typed: TypedCredentials = {
    clientId,
    ...(secret && { clientSecret: secret, issuer }),
    ...(clientAuthentication && { authentication: clientAuthentication }),
    ...(secretExpiresAt !== undefined && { secretExpiresAt }),
  };
  const chosen = options && defaultOptions({ ...connection.options, ...options });
  if (chosen) checkEndpoints(connection.url, chosen);
  if (!chosen || JSON.stringify(chosen) === JSON.stringify(connection.options)) return question.answer(typed);

  const leadElsewhere = !leadToSameVerdict(chosen, connection.options);
  if (leadElsewhere) connection.inspection = undefined;
  connection.options = chosen;
  // What is typed together with such choices is meant for the service that they lead to.
  const isForNext = leadElsewhere && clientSecret !== undefined;
  if (isForNext && connection.typedSecret) connection.typedSecret = { ...connection.typedSecret, issuer: undefined };
  const { issuer: _asked, ...forNext } = typed;
  const credentials = isForNext ? forNext : typed;
  if (connection.kind === 'connect' || connection.integrationId === undefined) {
    return startSignIn(context, connection, credentials);
  }
  await context.ports.store.update(connection.integrationId, (integration) => ({ ...integration, options: chosen }));
  startNewSignIn(context, connection, { typed: credentials });
}
