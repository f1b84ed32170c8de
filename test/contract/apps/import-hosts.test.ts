import { describe, expect, it } from 'vitest';
import { withDefaultOptions } from '../../../main/engine/records/integration-policy.ts';
import { UnsentRequest } from '../../../main/errors/request-error.ts';
import { importLimits } from '../../../main/limits.ts';
import { importAll } from '../../../main/operations/import.ts';
import type { EntryToImport } from '../../../main/operations/import.ts';
import type { NetworkFault } from '../../../shared/error-catalog/network-errors.ts';
import { startResource } from '../../support/demo-pair.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { serveHttp } from '../../support/loopback-server.ts';
import { createTestEngine } from '../../support/test-engine.ts';

/** Name lookups for a list, and an import that is saved as it runs. */

const options = withDefaultOptions({ local: true });
const listed = (urls: readonly string[]): EntryToImport[] =>
  urls.map((url, index) => {
    const name = `server-${index}`;
    return { name, options, entry: { name, server: { name, kind: 'remote', url, notes: [] } } };
  });
const hosts = Array.from({ length: 4 * importLimits.lookups }, (_, index) => `https://h${index}.example/mcp`);

/** An engine whose resolver finds no name, and its lookups. `together`: it responds once so many are pending. */
function withoutNames(fault: NetworkFault, together: number) {
  const engine = createTestEngine();
  const answers: (() => void)[] = [];
  let names = 0;
  const http = {
    ...engine.ports.http,
    exchange: () => expect.unreachable('a host that was not found is asked'),
    async resolveHost() {
      names += 1;
      const { promise, resolve } = Promise.withResolvers<void>();
      answers.push(resolve);
      if (answers.length >= together) for (const respond of answers.splice(0)) respond();
      await promise;
      throw new UnsentRequest('DNS_FAIL', { stage: 'probe', fault });
    },
  };
  const run = async () =>
    await importAll(
      {
        ...{
          ports: { ...engine.ports, http },
          user: { signIn: engine.interaction },
          surface: 'test',
          from: 'a test',
        },
        ...{ signal: new AbortController().signal, onProgress: () => {} },
      },
      listed(hosts),
    );
  return { run, lookedUp: () => names };
}

describe('an import of hosts that do not exist', () => {
  it('looks up many names at once, and requests nothing else from those not found', async () => {
    const { run, lookedUp } = withoutNames('name-not-found', importLimits.lookups);
    const imports = await run();
    expect(imports.map(({ imported }) => imported.outcome)).toEqual(hosts.map(() => 'failed'));
    expect(lookedUp()).toBe(hosts.length);
  });

  it('stops lookups once the name server has answered none of many', async () => {
    const { run, lookedUp } = withoutNames('name-server-silent', importLimits.lookups);
    const imports = await run();
    expect(imports.map(({ imported }) => 'error' in imported && imported.error.code)).toEqual(
      hosts.map(() => 'DNS_FAIL'),
    );
    expect(lookedUp()).toBeLessThan(hosts.length);
  });
});

it('saves imported entries while it waits for others, and returns them when it is stopped', async () => {
  const clock = createFakeClock(Date.now());
  const engine = createTestEngine({ clock });
  const { url } = await startResource(undefined);
  const silent = await serveHttp(() => {});
  const ending = new AbortController();
  const running = importAll(
    {
      ...{
        ports: engine.ports,
        user: { signIn: engine.interaction },
        surface: 'test',
        from: 'a test',
        signal: ending.signal,
      },
      onProgress: () => clock.advance(importLimits.writeInterval),
    },
    listed([url, `${silent.origin}/mcp`]),
  );
  const names = async () => (await engine.ports.store.list()).map(({ name }) => name);
  await expect.poll(names).toEqual(['server-0']);
  ending.abort();
  expect((await running).map(({ entry, imported }) => [entry.name, imported.outcome])).toEqual([
    ['server-0', 'imported'],
  ]);
  expect(await names()).toEqual(['server-0']);
});
