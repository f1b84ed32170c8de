import { checkAddress } from '../../main/address/check-address.ts';
import { parseAddress } from '../../main/address/parse-address.ts';
import { PosternError } from '../../main/errors/postern-error.ts';
import type { Http, HttpRequest, HttpResponse } from '../../main/ports.ts';
import type { HostileAnswer } from './hostile-values.ts';

/** An in-memory Http that rejects what the real one rejects before connecting, and returns these responses in turn. */
export function answeringHttp(answers: readonly HostileAnswer[]): Http & { readonly requests: readonly HttpRequest[] } {
  const requests: HttpRequest[] = [];
  const answer = (request: HttpRequest): HttpResponse => {
    const url = parseAddress(request.url, request.stage);
    checkAddress(url, request.policy, request.stage);
    requests.push(request);
    const { status, headers, text } = answers[(requests.length - 1) % answers.length] ?? {
      status: 404,
      headers: [],
      text: '',
    };
    if (status >= 301 && status <= 308) throw new PosternError('REDIRECT_REFUSED', { stage: request.stage });
    const body = new TextEncoder().encode(text);
    if (body.length > request.bodyLimit) throw new PosternError('BODY_TOO_LARGE', { stage: request.stage });
    return { status, headers: asHeaders(headers), url: url.href, body };
  };
  return {
    requests: requests,
    exchange: async (request) => answer(request),
    resolveHost: async () => {},
    stream: async ({ body: sent, ...request }) => {
      const text = sent === undefined ? {} : { body: Buffer.from(sent).toString('utf8') };
      const { status, headers, body, url } = answer({ ...request, ...text, bodyLimit: 1_000_000, redirects: 'none' });
      const isEmpty = [204, 205, 304].includes(status);
      const response = new Response(isEmpty ? null : Uint8Array.from(body), { status, headers });
      return Object.defineProperty(response, 'url', { value: url });
    },
  };
}

function asHeaders(fields: HostileAnswer['headers']): Headers {
  const headers = new Headers();
  for (const [name, value] of fields) {
    try {
      headers.append(name, value);
    } catch {
      // Not a valid HTTP header; the real client also drops it.
    }
  }
  return headers;
}
