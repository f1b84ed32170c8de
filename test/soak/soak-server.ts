import { startRotatingServer } from '../support/rotating-server.ts';
import type { RotatingServer, TokenRequest } from '../support/rotating-server.ts';
import type { RefreshRequest } from './request-record.ts';
import type { SeededRandom } from './seeded-random.ts';

/** The header by which a worker says which of its lives sends the request. */
export const runHeader = 'x-soak-run';

type Fault = 'cut-before' | 'cut-after' | 'unavailable' | 'rate-limited' | 'broken' | 'page' | 'silent';

/** Shares of the refresh requests. */
const faultShares: readonly (readonly [Fault, number])[] = [
  ['cut-before', 0.02],
  ['cut-after', 0.01],
  ['unavailable', 0.02],
  ['rate-limited', 0.01],
  ['broken', 0.01],
  ['page', 0.01],
  ['silent', 0.001],
];

export interface SoakServer extends RotatingServer {
  /** Every refresh request, oldest first. */
  readonly requests: readonly RefreshRequest[];
  /** How often each fault was injected. */
  readonly faults: Readonly<Record<Fault, number>>;
  /** No more faults from now on. */
  behave(): void;
}

/** A rotating authorization server that fails like real ones, and records what happened to every refresh token. */
export async function startSoakServer(random: SeededRandom, life: number): Promise<SoakServer> {
  const requests: RefreshRequest[] = [];
  const records = new WeakMap<TokenRequest, RefreshRequest>();
  const faults = Object.fromEntries(faultShares.map(([name]) => [name, 0])) as Record<Fault, number>;
  let behaves = false;

  function chooseFault(): Fault | undefined {
    let rest = random.next();
    if (behaves) return undefined;
    for (const [name, share] of faultShares) {
      if (rest < share) {
        faults[name] += 1;
        return name;
      }
      rest -= share;
    }
    return undefined;
  }

  const planned = new WeakMap<TokenRequest, Fault | undefined>();

  const server = await startRotatingServer({
    life,
    beforeToken(request) {
      const { form, message, response } = request;
      const refreshToken = form.get('refresh_token');
      if (refreshToken === null) return false;
      const run = String(message.headers[runHeader] ?? 'unknown');
      const record: RefreshRequest = { refreshToken, run, at: performance.now(), outcome: 'open', hasRotated: false };
      requests.push(record);
      records.set(request, record);
      response.once('close', () => {
        if (!response.writableFinished) record.outcome = 'cut';
        else if (record.outcome === 'open') record.outcome = record.hasRotated ? 'rotated' : 'refused';
      });
      const fault = chooseFault();
      planned.set(request, fault);
      return answerWith(fault, request, record);
    },
    afterToken(request) {
      const record = records.get(request);
      if (record) record.hasRotated = true;
      if (planned.get(request) !== 'cut-after') return false;
      request.response.destroy();
      return true;
    },
  });

  return { ...server, requests, faults, behave: () => (behaves = true) };
}

/** True if the fault was the whole response. */
function answerWith(fault: Fault | undefined, { response }: TokenRequest, record: RefreshRequest): boolean {
  switch (fault) {
    case 'cut-before':
      response.destroy();
      return true;
    case 'unavailable':
      record.outcome = 'busy';
      response.writeHead(503).end();
      return true;
    case 'rate-limited':
      record.outcome = 'busy';
      response.writeHead(429, { 'retry-after': '2' }).end();
      return true;
    case 'broken':
      record.outcome = 'busy';
      response.writeHead(500).end();
      return true;
    case 'page':
      record.outcome = 'busy';
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome</title>');
      return true;
    case 'silent':
      return true;
    default:
      return false;
  }
}
