import { describe, expect, it } from 'vitest';
import type { EnginePorts } from '../../../../../main/engine/engine-ports.ts';
import { credentialSource } from '../../../../../main/engine/use/credential-source.ts';
import type { Credential } from '../../../../../main/mcp/http/credential-gate.ts';
import { createRefreshWorld } from '../../../../support/refresh-world.ts';

const { signal } = new AbortController();

/** The source of an integration whose token lives for `life` seconds, and the number of vault reads. */
async function openSource(life = 3_600) {
  const { ports, vault, signIn, sent, clock } = createRefreshWorld();
  const integration = await signIn('one', { life });
  let reads = 0;
  const counted: EnginePorts = {
    ...ports,
    vault: async () => ({ ...vault, read: (key) => ((reads += 1), vault.read(key)) }),
  };
  return { source: credentialSource(counted, integration, signal), reads: () => reads, sent, clock };
}

const tokenOf = (credential: Credential | undefined): string | undefined =>
  credential?.kind === 'bearer' ? credential.token.reveal() : undefined;

describe('credentialSource', () => {
  it('reads the token once for concurrent and following requests', async () => {
    const alone = await openSource();
    await alone.source.current();
    const { source, reads } = await openSource();
    const [first, second] = await Promise.all([source.current(), source.current()]);
    expect(tokenOf(first)).toBeDefined();
    expect(tokenOf(second)).toBe(tokenOf(first));
    expect(tokenOf(await source.current())).toBe(tokenOf(first));
    expect(reads()).toBe(alone.reads());
  });

  it('refreshes an expired token once for concurrent requests', async () => {
    const { source, sent, clock } = await openSource(1);
    clock.advance(2_000);
    const [first, second] = await Promise.all([source.current(), source.current()]);
    expect(tokenOf(second)).toBe(tokenOf(first));
    expect(sent).toHaveLength(1);
  });

  it('renews a refused token once for concurrent requests', async () => {
    const { source, sent } = await openSource();
    const refused = await source.current();
    if (!refused) throw new Error('no credential');
    const [first, second] = await Promise.all([source.renew(refused), source.renew(refused)]);
    expect(tokenOf(first)).not.toBe(tokenOf(refused));
    expect(tokenOf(second)).toBe(tokenOf(first));
    expect(sent).toHaveLength(1);
  });
});
