import { allowInsecureRequests, customFetch } from 'oauth4webapi';
import type { Stage } from '../../shared/error-codes.ts';
import type { AddressPolicy } from '../address/address-policy.ts';
import { PosternError } from '../postern-error.ts';
import type { Http, HttpResponse, RequestPurpose } from '../ports.ts';

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
 * Runs one request function of oauth4webapi over our Http and answers what the server sent, unread.
 * Redirects are never followed: a POST with credentials must not be replayed elsewhere (RFC 9700 section 4.12).
 * Errors: those of `Http.exchange`; INTERNAL when the library refuses to build the request.
 */
export async function exchangeThrough(
  http: Http,
  settings: HttpFetchSettings,
  request: (options: LibraryOptions) => Promise<unknown>,
): Promise<HttpResponse> {
  let answer: HttpResponse | undefined;
  try {
    await request({
      [allowInsecureRequests]: true,
      [customFetch]: async (url, init) => {
        answer = await http.exchange({
          ...settings,
          method: 'POST',
          url,
          headers: plainHeaders(init.headers),
          body: String(init.body),
          redirects: 'none',
        });
        // The library only hands this back; the answer is judged before the library reads it.
        return new Response(null);
      },
    });
  } catch (error) {
    if (error instanceof PosternError) throw error;
    // The library's text may quote what it was given: no cause.
    if (answer === undefined) throw new PosternError('INTERNAL', { stage: settings.stage });
    throw error;
  }
  if (answer === undefined) throw new PosternError('INTERNAL', { stage: settings.stage });
  return answer;
}

/** The form type has no charset parameter (RFC 6749 appendix B), and the program is named by the Http port. */
function plainHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name !== 'user-agent')
      .map(([name, value]) => [name, name === 'content-type' ? (value.split(';')[0] ?? value) : value]),
  );
}
