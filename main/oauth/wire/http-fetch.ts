import { allowInsecureRequests, customFetch } from 'oauth4webapi';
import type { Stage } from '../../../shared/error-codes.ts';
import type { AddressPolicy } from '../../address/address-policy.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import { PosternError } from '../../postern-error.ts';
import type { Http, HttpResponse, RequestPurpose } from '../../ports.ts';

export interface HttpFetchSettings {
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
export interface LibraryOptions {
  readonly [customFetch]: (url: string, init: FetchInit) => Promise<Response>;
  readonly [allowInsecureRequests]: true;
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
