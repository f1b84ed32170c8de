import type { Integration } from '../../../shared/integration.ts';
import { PosternError } from '../../postern-error.ts';
import type { EnginePorts } from '../engine-ports.ts';

/** Says in the list that only a person can help. One that the person signed out of stays signed out. */
export async function endSignIn(ports: Pick<EnginePorts, 'store'>, { id }: Integration): Promise<void> {
  await ports.store.update(id, (kept) =>
    kept.state === 'integrated' ? { ...kept, state: 'reauthenticationRequired' } : kept,
  );
}

/** SIGN_IN_REQUIRED for this integration. */
export function signInRequired(integration: Integration, cause?: unknown): PosternError {
  const detail = { host: hostOf(integration), name: integration.name };
  return new PosternError('SIGN_IN_REQUIRED', { stage: 'connection', cause, detail });
}

/** SIGN_IN_REQUIRED for one that has no refresh token, while its access token still lives. */
export function cannotRenew(integration: Integration): PosternError {
  const { code, stage, detail } = signInRequired(integration);
  return new PosternError(code, { stage, detail: { ...detail, access: 'lives' } });
}

export function hostOf({ url }: Pick<Integration, 'url'>): string {
  return new URL(url).host;
}
