import { PosternError } from '../../main/errors/postern-error.ts';
import type { Http, HttpRequest, HttpResponse } from '../../main/ports.ts';

/** One exchange that the code under test must make, and what the server answers. */
export interface ScriptedExchange {
  readonly method: HttpRequest['method'];
  readonly url: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as `application/json` unless `headers` says otherwise. */
  readonly json?: unknown;
  readonly text?: string;
  /** The address that answers, when a redirect was followed. */
  readonly answeredBy?: string;
  /** Thrown instead of an answer. */
  readonly error?: Error;
  /** Runs when the request arrives: advance a clock, look at the body, abort. */
  readonly onRequest?: (request: ScriptedRequest) => void;
}

export type ScriptedRequest = Omit<HttpRequest, 'bodyLimit' | 'redirects'> & Partial<HttpRequest>;

export interface ScriptedHttp extends Http {
  /** Every request in the order in which it was sent. */
  readonly requests: readonly ScriptedRequest[];
  /** Fails when an expected request was not made, or another one was. */
  assertDone(): void;
}

/**
 * An Http that expects exactly these requests in this order. Another request throws a plain Error, which no code
 * under test may swallow, and fails `assertDone` too.
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
    locate: async () => {},
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
