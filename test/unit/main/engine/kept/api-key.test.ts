import { expect, it } from 'vitest';
import { keptKey } from '../../../../../main/engine/kept/api-key.ts';
import { saveHeaderValue } from '../../../../../main/engine/kept/stored-secrets.ts';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { Secret } from '../../../../../main/secret.ts';
import { anIntegration } from '../../../../support/an-integration.ts';
import { createTestEngine } from '../../../../support/test-engine.ts';

it('asks the keychain again where it could not be read before, as while it was locked', async () => {
  const { ports, vault } = createTestEngine();
  const before = anIntegration();
  const integration = { ...before, options: { ...before.options, headerName: 'x-api-key' } };
  await saveHeaderValue(vault, integration, { value: new Secret('the-key'), further: [] });
  let isLocked = true;
  const key = keptKey(
    {
      ...ports,
      vault: async () => {
        if (isLocked) throw new PosternError('KC_LOCKED', { stage: 'storage' });
        return vault;
      },
    },
    integration,
  );
  await expect(key.current()).rejects.toMatchObject({ code: 'KC_LOCKED' });
  isLocked = false;
  expect(await key.current()).toMatchObject({ kind: 'header', name: 'x-api-key' });
});
