import { connectWithKey } from '../../integration/connect/connect-with-key.ts';
import { isKeyHeaderName, isKeyHeaderValue } from '../../../shared/header-name.ts';
import { PosternError } from '../../postern-error.ts';
import { Secret } from '../../secret.ts';
import type { Connection } from '../connections/connections.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { keyFor } from '../connections/key-header.ts';
import { runConnection } from './run-connection.ts';

/**
 * Connects with a fixed header, typed now or imported. Errors: API_KEY_INVALID; API_KEY_MISSING where the one that is
 * there belongs to another server.
 */
export function connectWithHeader(
  context: DesktopContext,
  connection: Connection,
  typed: { readonly name: string; readonly value: string } | undefined,
): void {
  if (typed) {
    const value = typed.value.trim();
    if (!isKeyHeaderName(typed.name) || !isKeyHeaderValue(value)) {
      throw new PosternError('API_KEY_INVALID', { stage: 'credentials' });
    }
    const header = { name: typed.name, value: new Secret(value), url: connection.wanted.url };
    connection.wanted = { ...connection.wanted, header };
  }
  const { url } = connection.wanted;
  const header = keyFor(connection.wanted.header, url);
  if (!header) throw new PosternError('API_KEY_MISSING', { stage: 'credentials' });
  const again = (): void => connectWithHeader(context, connection, undefined);
  void runConnection(context, connection, again, async (ports, interaction, signal, attempt) => {
    const { flow } = connection;
    const { name } = connection.wanted;
    const options = { ...connection.wanted.options, headerName: header.name };
    flow.begin(interaction, flow.state);
    const { integration } = await connectWithKey(
      ports,
      { url, name: name || undefined, options, key: header.value, further: header.further },
      signal,
    );
    connection.wanted = { ...connection.wanted, header: undefined };
    flow.advance({ type: 'keyTaken', integrationId: integration.id });
    context.health.madeHere(integration.id);
    context.board.keepSignIn(integration.id, attempt);
    context.board.answered(integration);
    context.board.awake();
  });
}
