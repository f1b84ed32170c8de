import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { pem } from '../../support/loopback-server.ts';

/** Milliseconds that the user waits for a page; a sign-in page may never respond, and the machine may be busy. */
const timeout = 30_000;

/**
 * A browser that follows redirects and clicks nothing. Every name is this machine. Ends silently where a page ends,
 * like a user who closes the tab.
 */
export async function followSignIn(url: string, signal: AbortSignal): Promise<void> {
  let next: URL | undefined = new URL(url);
  for (let step = 0; next !== undefined && step < 5; step += 1) next = await visit(next, signal).catch(() => undefined);
}

function visit(url: URL, signal: AbortSignal): Promise<URL | undefined> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const lookup: LookupFunction = (_name, { all }, callback) =>
      all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4);
    const options = { ca: pem('authority'), agent: false as const, timeout, signal, lookup };
    const visited = request(url, options, (response) => {
      response.resume();
      const { location } = response.headers;
      resolve(location === undefined ? undefined : (URL.parse(location, url.href) ?? undefined));
    });
    visited.on('timeout', () => visited.destroy());
    visited.on('error', reject).end();
  });
}
