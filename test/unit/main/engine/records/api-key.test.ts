import { expect, it } from 'vitest';
import { storedKeySource } from '../../../../../main/engine/records/api-key.ts';
import { saveHeaderValue } from '../../../../../main/engine/records/stored-secrets.ts';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { Secret } from '../../../../../main/secret.ts';
import { anIntegration } from '../../../../support/an-integration.ts';
import { createTestEngine } from '../../../../support/test-engine.ts';

it('reads the keychain again after a failure, for example while it was locked', async () => {
  const { ports, vault } = createTestEngine();
  const before = anIntegration();
  const integration = { ...before, options: { ...before.options, headerName: 'x-api-key' } };
  await saveHeaderValue(vault, integration, { value: new Secret('the-key'), further: [] });
  let isLocked = true;
  const key = storedKeySource(
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
