import { describe, expect, it } from 'vitest';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { discoveryRate } from '../../../../../main/limits.ts';
import { limitDiscoveries } from '../../../../../main/net/http/open-http.ts';
import type { Http, HttpRequest, HttpResponse } from '../../../../../main/ports.ts';
import { asChecked } from '../../../../support/as-checked.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { policy } from '../../../../support/oauth-fixtures.ts';

const request = (changes: Partial<HttpRequest> = {}): HttpRequest => ({
  purpose: 'probe',
  stage: 'probe',
  method: 'POST',
  url: asChecked('https://victim.example/mcp'),
  policy,
  redirects: 'none',
  deadline: 10_000,
  bodyLimit: 1_000,
  ...changes,
});

/** An Http whose responses the test releases. */
function slowHttp() {
  const open: { request: HttpRequest; respond: () => void }[] = [];
  let most = 0;
  const http: Http = {
    exchange: (received) =>
      new Promise((resolve) => {
        const respond = (): void => {
          open.splice(open.indexOf(entry), 1);
          resolve({ status: 200, headers: new Headers(), url: received.url, body: new Uint8Array() });
        };
        const entry = { request: received, respond };
        open.push(entry);
        most = Math.max(most, open.length);
      }),
    stream: async ({ body: _body, ...received }) => (await http.exchange(request(received)), new Response()),
    resolveHost: async () => {},
  };
  return { http, open, mostAtOnce: () => most };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function codeOf(run: Promise<HttpResponse>): Promise<string> {
  const error: unknown = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof PosternError ? error.code : 'none';
}

describe('limitDiscoveries', () => {
  it('sends at most four discovery requests at a time, in order (NW-20)', async () => {
    const { http, open, mostAtOnce } = slowHttp();
    const limited = limitDiscoveries(http, createFakeClock());
    const urls = Array.from({ length: 50 }, (_, index) => asChecked(`https://host-${index}.example/mcp`));
    const all = urls.map((url, index) =>
      index % 2 === 0 ? limited.exchange(request({ url })) : limited.stream(request({ url })),
    );
    const order: string[] = [];
    for (let count = 0; count < urls.length; count += 1) {
      await turn();
      order.push(open[0]?.request.url ?? '');
      open[0]?.respond();
    }
    expect(await Promise.all(all)).toHaveLength(50);
    expect(mostAtOnce()).toBe(discoveryRate.concurrent);
    expect(order).toEqual(urls);
  });

  it('sends one host a bounded number of requests, however many entries name it (NW-20)', async () => {
    const { http, open } = slowHttp();
    const clock = createFakeClock();
    const limited = limitDiscoveries(http, clock);
    const sent = async (): Promise<boolean> => {
      const impatient = new AbortController();
      const run = codeOf(limited.exchange(request({ signal: impatient.signal })));
      await turn();
      impatient.abort();
      open[0]?.respond();
      return (await run) === 'none';
    };
    for (let count = 0; count < discoveryRate.burst; count += 1) expect(await sent()).toBe(true);
    expect(await sent()).toBe(false);
    clock.advance(discoveryRate.interval);
    expect(await sent()).toBe(true);
    expect(await sent()).toBe(false);
    expect(clock.timers).toBe(0);
  });

  it('starts the deadline of a request when it is sent, and reports the wait once', async () => {
    const { http, open } = slowHttp();
    const clock = createFakeClock();
    const limited = limitDiscoveries(http, clock);
    for (let count = 0; count < discoveryRate.burst; count += 1) {
      const run = limited.exchange(request());
      await turn();
      open[0]?.respond();
      await run;
    }
    const waits: string[] = [];
    const onWait = () => (waits.push('began'), () => void waits.push('ended'));
    const late = limited.exchange(request({ onWait }));
    await turn();
    expect(open).toHaveLength(0);
    expect(waits).toEqual(['began']);
    clock.advance(discoveryRate.interval / 2);
    await turn();
    clock.advance(discoveryRate.interval / 2);
    await turn();
    expect(waits).toEqual(['began', 'ended']);
    expect(open[0]?.request.deadline).toBe(10_000);
    open[0]?.respond();
    await late;
  });

  it('leaks no slot when waiting requests are cancelled', async () => {
    const { http, open } = slowHttp();
    const clock = createFakeClock();
    const limited = limitDiscoveries(http, clock);
    const running = Array.from({ length: discoveryRate.concurrent }, () => limited.exchange(request()));
    await turn();
    const abort = new AbortController();
    const cancelled = codeOf(limited.exchange(request({ signal: abort.signal })));
    const patient = limited.exchange(request());
    await turn();
    abort.abort();
    // In the same tick in which slots become free.
    for (const { respond } of [...open]) respond();
    expect(await cancelled).toBe('USER_CANCELLED');
    await Promise.all(running);
    await turn();
    open[0]?.respond();
    await patient;
    const secondBatch = Array.from({ length: discoveryRate.concurrent }, () => limited.exchange(request()));
    await turn();
    expect(open).toHaveLength(discoveryRate.concurrent);
    for (const { respond } of [...open]) respond();
    await Promise.all(secondBatch);
    expect(clock.timers).toBe(0);
  });

  it('does not delay requests of a signed-in integration', async () => {
    const { http, open } = slowHttp();
    const limited = limitDiscoveries(http, createFakeClock());
    for (let count = 0; count < 10; count += 1) void limited.exchange(request());
    void limited.exchange(request({ purpose: 'refresh' }));
    void limited.exchange(request({ purpose: 'token' }));
    await turn();
    expect(open.map((entry) => entry.request.purpose)).toEqual(expect.arrayContaining(['refresh', 'token']));
    for (const { respond } of [...open]) respond();
  });
});
