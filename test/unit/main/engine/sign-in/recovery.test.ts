import { describe, expect, it } from 'vitest';
import { recoveryFrom } from '../../../../../main/engine/sign-in/obtain-credentials.ts';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { clientCredentials } from '../../../../support/oauth-fixtures.ts';

describe('recoveryFrom', () => {
  const attempted = {
    client: { credentials: clientCredentials(), reused: false },
    discovery: {},
    options: { pkce: 'when-listed' },
  } as const;
  const unused = { registerAgain: false, authorizeAgain: false };

  it.each(['exchange-failed', 'other-issuer'] as const)('opens the dialog after %s, whatever the error', (kind) => {
    const error = new PosternError('DEADLINE', { stage: 'postern' });
    expect(recoveryFrom({ kind, error }, attempted, unused)).toEqual({ kind: 'ask', error });
  });

  it.each(['token', 'credentials', 'authorization'] as const)('gives up after an error in stage %s', (stage) => {
    const error = new PosternError('REG_ISSUER_MISMATCH', { stage });
    expect(recoveryFrom({ kind: 'error', error }, attempted, unused)).toEqual({ kind: 'give-up' });
  });
});
