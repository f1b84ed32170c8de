import { allowInsecureRequests, customFetch } from 'oauth4webapi';
import type { DPoPHandle } from 'oauth4webapi';
import type { Stage } from '../../../shared/error-codes.ts';
import type { RequestPurpose } from '../../../shared/trace.ts';
import type { AddressPolicy, CheckedAddress } from '../../address/check-address.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { Clock, Http, HttpResponse } from '../../ports.ts';
import { readErrorResponse } from './oauth-error.ts';
import type { ProofKey } from './proof-key.ts';
import { nextProof, parseTokenChallenge, readProofRefusal } from './response-headers.ts';
import type { ProofRefusal } from './response-headers.ts';

interface HttpFetchSettings {
  readonly purpose: RequestPurpose;
  readonly stage: Stage;
  readonly policy: AddressPolicy;
  /** Milliseconds over the whole exchange. */
  readonly deadline: number;
  /** Bytes after decoding. */
  readonly bodyLimit: number;
  readonly signal?: AbortSignal | undefined;
}

interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: unknown;
}

/** Options every oauth4webapi request function takes. Which addresses are allowed is up to the address policy. */
interface LibraryOptions {
  readonly [customFetch]: (url: string, init: FetchInit) => Promise<Response>;
  readonly [allowInsecureRequests]: true;
}

/** Any 2xx counts as the 200 or 201 that an endpoint should send (RFC 9110 section 15.3). */
export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

/**
 * Runs an oauth4webapi request function over our Http, to `url`, and returns the raw response. Redirects are never
 * followed: a POST with credentials must not be replayed elsewhere (RFC 9700 section 4.12).
 * Errors: those of `Http.exchange`; INTERNAL if the library refuses to build the request.
 */
export async function sendRequest(
  http: Http,
  url: CheckedAddress,
  settings: HttpFetchSettings,
  request: (options: LibraryOptions) => Promise<unknown>,
): Promise<HttpResponse> {
  let exchange: Promise<HttpResponse> | undefined;
  try {
    await request({
      [allowInsecureRequests]: true,
      // The library passes back the address it was given: `url`, which is checked.
      [customFetch]: async (_url, init) => {
        exchange = http.exchange({
          ...settings,
          method: 'POST',
          url,
          headers: toPlainHeaders(init.headers),
          body: String(init.body),
          redirects: 'none',
        });
        await exchange;
        // A placeholder: we judge the response before the library reads any of it.
        return new Response(null);
      },
    });
  } catch {
    // Either the exchange failed, which `await exchange` below reports, or the library refused to build the request.
    // Its error may quote the input, so it does not become the cause.
  }
  if (exchange === undefined) throw new PosternError('INTERNAL', { stage: settings.stage });
  return await exchange;
}

/** The form type has no charset parameter (RFC 6749 appendix B); the Http port sets the user agent. */
function toPlainHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name !== 'user-agent')
      .map(([name, value]) => [name, name === 'content-type' ? (value.split(';')[0] ?? value) : value]),
  );
}

/** Library options for a request with a DPoP proof. */
export type ProofOptions = LibraryOptions & { readonly DPoP?: DPoPHandle };

/**
 * Like `sendRequest`, with a DPoP proof if there is a key. If the proof is refused, the request is repeated once
 * with the nonce from the refusal (RFC 9449 section 8): the server did not act on a request it refused this way. The
 * second response is final.
 * Errors: those of `sendRequest`.
 */
export async function sendRequestWithProof(
  { http, clock }: { readonly http: Http; readonly clock: Clock },
  address: CheckedAddress,
  { key, ...settings }: HttpFetchSettings & { readonly key: ProofKey | undefined },
  request: (options: ProofOptions) => Promise<unknown>,
): Promise<HttpResponse> {
  if (!key) return await sendRequest(http, address, settings, request);
  const to = { recipient: 'authorization-server', url: new URL(address) } as const;
  const send = async (nonce?: string): Promise<HttpResponse> => {
    const DPoP = await key.createHandle({ ...to, now: clock.now(), nonce });
    return await sendRequest(http, address, settings, (options) => request({ ...options, DPoP }));
  };
  const response = await send();
  const next = nextProof(key, to, readRefusedProof(response), response.headers);
  if (!next) return response;
  const last = await send(next.nonce);
  key.saveNonce(to.recipient, to.url, last.headers);
  return last;
}

/** The error is in the body, as at a token endpoint, or in the challenge, as at a protected resource. */
function readRefusedProof(response: HttpResponse): ProofRefusal | undefined {
  if (response.status < 400 || response.status > 499) return undefined;
  const challenge = parseTokenChallenge(response.headers);
  return readProofRefusal(readErrorResponse(response).error) ?? readProofRefusal(challenge?.dpop?.error);
}

/**
 * A response for oauth4webapi whose JSON is already read, within our bounds and with tolerated deviations repaired. The
 * library calls `json()`, so the body is not parsed twice.
 */
export function toLibraryResponse(document: object, status: 200 | 201): Response {
  return Object.defineProperty(new Response(null, { status }), 'json', { value: async () => document });
}
