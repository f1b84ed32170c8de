import { allowInsecureRequests, customFetch } from 'oauth4webapi';
import type { DPoPHandle } from 'oauth4webapi';
import type { Stage } from '../../../shared/error-codes.ts';
import type { AddressPolicy, CheckedAddress } from '../../address/check-address.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { Clock, Http, HttpResponse, RequestPurpose } from '../../ports.ts';
import { readErrorAnswer } from './oauth-error.ts';
import type { ProofKey } from './proof-key.ts';
import { nextProof, parseTokenChallenge, proofRefusalOf } from './response-headers.ts';
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

/** Options that every oauth4webapi request function takes. Which addresses are allowed is the policy's to say. */
interface LibraryOptions {
  readonly [customFetch]: (url: string, init: FetchInit) => Promise<Response>;
  readonly [allowInsecureRequests]: true;
}

/** 2xx (RFC 9110 section 15.3); what an endpoint answers by it beside its own 200 or 201 says the same. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

/**
 * Runs one request function of oauth4webapi over our Http, to `url`, and answers what the server sent, unread.
 * Redirects are never followed: a POST with credentials must not be replayed elsewhere (RFC 9700 section 4.12).
 * Errors: those of `Http.exchange`; INTERNAL when the library refuses to build the request.
 */
export async function exchangeThrough(
  http: Http,
  url: CheckedAddress,
  settings: HttpFetchSettings,
  request: (options: LibraryOptions) => Promise<unknown>,
): Promise<HttpResponse> {
  let exchange: Promise<HttpResponse> | undefined;
  try {
    await request({
      [allowInsecureRequests]: true,
      // The address that the library hands back is the one that it was given: `url`, which is checked.
      [customFetch]: async (_same, init) => {
        exchange = http.exchange({
          ...settings,
          method: 'POST',
          url,
          headers: plainHeaders(init.headers),
          body: String(init.body),
          redirects: 'none',
        });
        await exchange;
        // The library only hands this back; the answer is judged before the library reads any of it.
        return new Response(null);
      },
    });
  } catch {
    // Either the exchange failed, and fails again below, or the library would not build the request: its text may
    // quote what it was given, so it is not kept as the cause.
  }
  if (exchange === undefined) throw new PosternError('INTERNAL', { stage: settings.stage });
  return await exchange;
}

/** The form type has no charset parameter (RFC 6749 appendix B), and the program is named by the Http port. */
function plainHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name !== 'user-agent')
      .map(([name, value]) => [name, name === 'content-type' ? (value.split(';')[0] ?? value) : value]),
  );
}

/** What the library takes for a request that shows a key. */
export type ProvenOptions = LibraryOptions & { readonly DPoP?: DPoPHandle };

/**
 * As `exchangeThrough`, with a proof that the key is ours, where there is one. A refused proof is made once more, with
 * the nonce that came with the refusal (RFC 9449 section 8): the service has not acted on what it refused so. The answer
 * to that is the last, whatever it says. Errors: those of `exchangeThrough`.
 */
export async function exchangeProven(
  { http, clock }: { readonly http: Http; readonly clock: Clock },
  address: CheckedAddress,
  { key, ...settings }: HttpFetchSettings & { readonly key: ProofKey | undefined },
  request: (options: ProvenOptions) => Promise<unknown>,
): Promise<HttpResponse> {
  if (!key) return await exchangeThrough(http, address, settings, request);
  const to = { reader: 'authorization-server', url: new URL(address) } as const;
  const send = async (nonce?: string): Promise<HttpResponse> => {
    const DPoP = await key.handleFor({ ...to, now: clock.now(), nonce });
    return await exchangeThrough(http, address, settings, (options) => request({ ...options, DPoP }));
  };
  const answer = await send();
  const next = nextProof(key, to, refusalOf(answer), answer.headers);
  if (!next) return answer;
  const last = await send(next.nonce);
  key.takeNonce(to.reader, to.url, last.headers);
  return last;
}

/** In the body as for any error of a token endpoint, or in the challenge as for a resource. */
function refusalOf(answer: HttpResponse): ProofRefusal | undefined {
  if (answer.status < 400 || answer.status > 499) return undefined;
  const challenge = parseTokenChallenge(answer.headers);
  return proofRefusalOf(readErrorAnswer(answer).error) ?? proofRefusalOf(challenge?.dpop?.error);
}

/**
 * An answer for oauth4webapi whose JSON has been read: within our bounds, and with what we tolerate put right. The
 * library asks it for `json()`, so the body is never parsed a second time.
 */
export function toReadResponse(document: object, status: 200 | 201): Response {
  return Object.defineProperty(new Response(null, { status }), 'json', { value: async () => document });
}
