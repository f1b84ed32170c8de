import type { Integration } from '../../../shared/integration.ts';
import type { TokenSet } from '../../oauth/token-set.ts';
import { PosternError } from '../../postern-error.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { integrationLock } from '../kept/integration-lock.ts';
import { boundTokens } from '../kept/bound-tokens.ts';
import { saveTokens } from '../kept/stored-secrets.ts';

/**
 * The server has taken tokens that came from a refresh after a refusal: a refusal later is a new one, and worth a
 * refresh again. Never throws: at worst a person signs in once more than needed.
 */
export async function acceptTokens(
  ports: EnginePorts,
  integration: Integration,
  accepted: TokenSet,
): Promise<TokenSet> {
  const { afterRefusal: _over, ...settled } = accepted;
  try {
    await ports.locks.hold(integrationLock(integration.id), async () => {
      const vault = await ports.vault();
      const tokens = await boundTokens(ports, vault, integration);
      if (!tokens?.afterRefusal || tokens.accessToken.reveal() !== accepted.accessToken.reveal()) return;
      const { afterRefusal: _stored, ...kept } = tokens;
      await saveTokens(vault, integration, kept);
    });
  } catch (error) {
    ports.log.write('tokens-not-saved', { code: error instanceof PosternError ? error.code : 'INTERNAL' });
  }
  return settled;
}
