import { isKeyHeaderValue } from '../../../shared/header-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import { usesApiKey } from '../../integration/kept/api-key.ts';
import { connectWithKey } from '../../integration/connect/connect-with-key.ts';
import { PosternError } from '../../postern-error.ts';
import { Secret } from '../../secret.ts';
import type { DesktopContext } from '../desktop-context.ts';

/**
 * Another key for a server that has one, under the same id and header. The server has to take it first: until then
 * the old key, and what is known of it, stay. Errors: API_KEY_INVALID, API_KEY_REFUSED and the others of
 * `connectWithKey`.
 */
export async function replaceKey(
  { ports, board, health }: Pick<DesktopContext, 'ports' | 'board' | 'health'>,
  integration: Integration,
  typed: string,
): Promise<void> {
  const value = typed.trim();
  if (!usesApiKey(integration) || !isKeyHeaderValue(value)) {
    throw new PosternError('API_KEY_INVALID', { stage: 'credentials' });
  }
  const { id, url, name, options } = integration;
  const { signal } = new AbortController();
  await connectWithKey(ports, { url, name, options, again: integration, key: new Secret(value) }, signal);
  health.madeHere(id);
  board.forget(id);
  board.answered({ id, url });
  board.awake();
}
