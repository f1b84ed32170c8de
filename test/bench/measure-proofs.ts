import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connectServer } from '../../main/engine/connect/connect-server.ts';
import type { EnginePorts } from '../../main/engine/engine-ports.ts';
import { listTools } from '../../main/engine/use/use-server.ts';
import type { Http } from '../../main/ports.ts';
import type { Integration } from '../../shared/integration.ts';
import type { AuthorizationServerOptions } from '../demo/authorization-server-options.ts';
import { startAuthorizationServer } from '../demo/authorization-server.ts';
import type { McpServerOptions } from '../demo/mcp-server-options.ts';
import { startMcpServer } from '../demo/mcp-server.ts';
import { completeSignIn } from '../support/scripted-browser.ts';
import { localOptions } from '../support/local-options.ts';
import { openProfileEngine } from '../support/profile-engine.ts';
import { refreshIntegration } from '../support/refresh-integration.ts';
import { countRoundTrips } from './recorded-request.ts';
import type { RecordedRequest } from './recorded-request.ts';
import { describeGoals } from './report.ts';
import type { Goal } from './report.ts';

/** Milliseconds per round trip; only round trips are counted, so it may be long. */
const latency = 100;
const rounds = 3;
const { signal } = new AbortController();

interface Trips {
  readonly connect: number;
  readonly refresh: number;
  readonly use: number;
}

/** The cost of PAR and DPoP in sequential round trips, with oidc-provider and an MCP server that checks proofs. */
export async function measureProofs(): Promise<readonly Goal[]> {
  const plain = await leastTrips({}, {});
  const proven = await leastTrips({ dpop: 'offered', pushedRequests: 'required' }, { dpop: { scheme: 'only' } });
  const withNonces = await leastTrips(
    { dpop: 'nonces', pushedRequests: 'required' },
    { dpop: { scheme: 'only', nonces: 'each' } },
  );
  const later = ({ refresh, use }: Trips): number => refresh + use;
  return [
    {
      text: 'additional round trips of a full connect with PAR and DPoP',
      value: proven.connect - plain.connect,
      limit: 1,
    },
    { text: 'the same if both require nonces', value: withNonces.connect - plain.connect, limit: 2 },
    {
      text: 'additional round trips of a refresh and a call with DPoP and nonces',
      value: later(withNonces) - later(plain),
      limit: 0,
    },
  ];
}

/** The minimum, because a busy computer only adds round trips. */
async function leastTrips(service: AuthorizationServerOptions, server: McpServerOptions): Promise<Trips> {
  const all: Trips[] = [];
  for (let round = 0; round < rounds; round += 1) all.push(await countTrips(service, server));
  const least = (of: keyof Trips): number => Math.min(...all.map((trips) => trips[of]));
  return { connect: least('connect'), refresh: least('refresh'), use: least('use') };
}

async function countTrips(service: AuthorizationServerOptions, server: McpServerOptions): Promise<Trips> {
  const home = mkdtempSync(path.join(tmpdir(), 'postern-proofs-'));
  const as = await startAuthorizationServer({ autoApprove: 'demo', ...service });
  const mcp = await startMcpServer({ authorizationServer: as, ...server });
  const { ports, close } = openProfileEngine(home);
  const { http, takeTrips } = recordTrips(ports.http);
  const recorded: EnginePorts = { ...ports, http };
  const interaction = {
    onEvent: () => {},
    askCredentials: async () => undefined,
    open: async ({ url }: { readonly url: string }) => void (await completeSignIn(url)),
  };
  try {
    const target = { url: mcp.url, options: localOptions, surface: 'bench' };
    const { integration } = await connectServer(recorded, target, interaction, signal);
    const connect = takeTrips();
    const read = async (): Promise<Integration> => (await ports.store.read(integration.id)) ?? integration;
    await refreshIntegration(recorded, await read(), { signal });
    const refresh = takeTrips();
    await listTools(recorded, await read(), { signal });
    return { connect, refresh, use: takeTrips() };
  } finally {
    await close();
    await mcp.close();
    await as.close();
    rmSync(home, { recursive: true, force: true });
  }
}

function recordTrips(real: Http): { readonly http: Http; takeTrips(): number } {
  let requests: RecordedRequest[] = [];
  const slowly = async <Answer>(name: string, send: () => Promise<Answer>): Promise<Answer> => {
    await pause(latency / 2);
    const request: RecordedRequest = {
      name,
      arrived: performance.now(),
      ended: undefined,
      isStream: name === 'GET mcp',
    };
    requests.push(request);
    const response = await send();
    request.ended = performance.now();
    await pause(latency / 2);
    return response;
  };
  return {
    http: {
      exchange: (request) => slowly(`${request.method} ${request.purpose}`, () => real.exchange(request)),
      stream: (request) => slowly(`${request.method} ${request.purpose}`, () => real.stream(request)),
      resolveHost: real.resolveHost,
    },
    takeTrips() {
      const trips = countRoundTrips(requests, latency);
      requests = [];
      return trips;
    },
  };
}

// `npx node test/bench/measure-proofs.ts`: only these measurements.
if (import.meta.main) console.log(describeGoals(await measureProofs()));
