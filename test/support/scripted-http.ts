import { PosternError } from '../../main/errors/postern-error.ts';
import type { Http, HttpRequest, HttpResponse } from '../../main/ports.ts';

/** One expected request, and the server's response. */
export interface ScriptedExchange {
  readonly method: HttpRequest['method'];
  readonly url: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as `application/json` unless `headers` says otherwise. */
  readonly json?: unknown;
  readonly text?: string;
  /** The final URL after redirects. */
  readonly answeredBy?: string;
  /** Thrown instead of a response. */
  readonly error?: Error;
  /** Runs when the request arrives: advance a clock, inspect the body, abort. */
  readonly onRequest?: (request: ScriptedRequest) => void;
}

export type ScriptedRequest = Omit<HttpRequest, 'bodyLimit' | 'redirects'> & Partial<HttpRequest>;

export interface ScriptedHttp extends Http {
  /** Every request in order. */
  readonly requests: readonly ScriptedRequest[];
  /** Fails if an expected request was not made, or an unexpected one was. */
  assertDone(): void;
}

/**
 * An Http that expects exactly these requests in this order. Any other request throws a plain Error, which no code
 * under test may swallow, and also fails `assertDone`.
 */
export function scriptedHttp(script: readonly ScriptedExchange[]): ScriptedHttp {
  const requests: ScriptedRequest[] = [];
  const unexpected: string[] = [];

  const answer = async (request: ScriptedRequest): Promise<HttpResponse> => {
    const expected = script[requests.length];
    requests.push(request);
    if (expected === undefined || expected.method !== request.method || expected.url !== request.url) {
      const wanted = expected === undefined ? 'no further request' : `${expected.method} ${expected.url}`;
      unexpected.push(`${request.method} ${request.url} (expected ${wanted})`);
      throw new Error(`unexpected request: ${unexpected.at(-1)}`);
    }
    expected.onRequest?.(request);
    if (request.signal?.aborted) throw new PosternError('USER_CANCELLED', { stage: request.stage });
    if (expected.error !== undefined) throw expected.error;
    const headers = new Headers(expected.json === undefined ? {} : { 'content-type': 'application/json' });
    for (const [name, value] of Object.entries(expected.headers ?? {})) headers.set(name, value);
    const text = expected.json === undefined ? (expected.text ?? '') : JSON.stringify(expected.json);
    return {
      status: expected.status ?? 200,
      headers,
      url: expected.answeredBy ?? request.url,
      body: new TextEncoder().encode(text),
    };
  };

  return {
    requests,
    exchange: answer,
    resolveHost: async () => {},
    async stream({ body: sent, ...request }) {
      const text = sent === undefined ? {} : { body: Buffer.from(sent).toString('utf8') };
      const { status, headers, body } = await answer({ ...request, ...text });
      return new Response(body.length === 0 ? null : Uint8Array.from(body), { status, headers });
    },
    assertDone() {
      if (unexpected.length > 0) throw new Error(`unexpected requests: ${unexpected.join('; ')}`);
      const missing = script.slice(requests.length).map(({ method, url }) => `${method} ${url}`);
      if (missing.length > 0) throw new Error(`requests never made: ${missing.join('; ')}`);
    },
  };
}
