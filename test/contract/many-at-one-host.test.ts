import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { inspectServer } from '../../main/engine/connect/inspect-server.ts';
import type { EnginePorts } from '../../main/engine/engine-ports.ts';
import { withDefaultOptions } from '../../main/engine/records/integration-policy.ts';
import { deadline, discoveryRate } from '../../main/limits.ts';
import { limitDiscoveries } from '../../main/net/http/open-http.ts';
import type { DiscoveryStep } from '../../main/oauth/discovery/discovery.ts';
import { importAll } from '../../main/operations/import.ts';
import type { EntryToImport } from '../../main/operations/import.ts';
import type { Http } from '../../main/ports.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { startScriptedServer } from '../support/scripted-server.ts';
import { createTestEngine } from '../support/test-engine.ts';

const options = withDefaultOptions({ local: true });
const count = discoveryRate.burst + (2 * deadline.discovery) / discoveryRate.interval;

/** A host with any number of servers, each of which requires a sign-in. */
async function startHost(): Promise<string> {
  const metadata = (origin: string) => ({
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  });
  const { origin } = await startScriptedServer((at) => ({
    'GET /.well-known/oauth-authorization-server': () => ({ json: metadata(at) }),
    ...Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        [`POST /mcp/${index}`, () => ({ status: 401 })],
        [
          `GET /.well-known/oauth-protected-resource/mcp/${index}`,
          () => ({ json: { resource: `${at}/mcp/${index}`, authorization_servers: [at] } }),
        ],
      ]).flat(),
    ),
  }));
  return origin;
}

/** The engine with the limit on discoveries, and a clock that advances when everything waits for it. */
function limitedEngine() {
  const clock = createFakeClock(Date.now());
  const engine = createTestEngine({ clock });
  let inFlight = 0;
  const counting = async <Answer>(send: () => Promise<Answer>): Promise<Answer> => {
    inFlight += 1;
    try {
      return await send();
    } finally {
      inFlight -= 1;
    }
  };
  const counted: Http = {
    ...engine.ports.http,
    exchange: (request) => counting(() => engine.ports.http.exchange(request)),
    stream: (request) => counting(() => engine.ports.http.stream(request)),
  };
  const ports: EnginePorts = { ...engine.ports, http: limitDiscoveries(counted, clock) };
  const everybodyWaits = (): boolean => inFlight === 0 && clock.timers > 0;
  const end = new AbortController();
  onTestFinished(() => end.abort());
  const goOn = async (): Promise<void> => {
    while (!end.signal.aborted) {
      await setImmediate();
      if (everybodyWaits()) clock.advance(discoveryRate.interval);
    }
  };
  return { engine, ports, clock, everybodyWaits, goOn };
}

const wanted = (origin: string): EntryToImport[] =>
  Array.from({ length: count }, (_, index) => {
    const name = `server-${index}`;
    return {
      name,
      options,
      entry: { name, server: { name, kind: 'remote', url: `${origin}/mcp/${index}`, notes: [] } },
    };
  });

it("queuing at a host takes no time from a discovery's deadline (NW-20)", async () => {
  const origin = await startHost();
  const { engine, ports, goOn } = limitedEngine();
  const { signal } = new AbortController();
  void goOn();
  const imports = await importAll(
    {
      ports,
      user: { signIn: engine.interaction },
      surface: 'test',
      signal,
      from: 'a test',
      onProgress: () => {},
    },
    wanted(origin),
  );
  expect(imports.map(({ imported }) => ('error' in imported ? imported.error.code : imported.outcome))).toEqual(
    Array.from({ length: count }, () => 'sign-in'),
  );
});

it('reports that a discovery is queued, and ends it at once when canceled', async () => {
  const origin = await startHost();
  const { ports, clock, everybodyWaits } = limitedEngine();
  const ending = new AbortController();
  const steps: DiscoveryStep[][] = [];
  const discoveries = wanted(origin).map(({ entry }) => {
    const own: DiscoveryStep[] = [];
    steps.push(own);
    const question = { url: entry.server.url ?? '', options, isTyped: true };
    return inspectServer(ports, question, (step) => void own.push(step), ending.signal).catch(
      (error: unknown) => error,
    );
  });
  while (!everybodyWaits()) await setImmediate();
  expect(steps.at(-1)?.at(-1)?.outcome).toBe('waiting');
  ending.abort();
  const ends = await Promise.all(discoveries);
  expect(ends.at(-1)).toMatchObject({ code: 'USER_CANCELLED' });
  expect(clock.timers).toBe(0);
});
