import type { AddressPolicy } from '../address/address-policy.ts';
import { deadline } from '../limits.ts';
import type { BearerChallenge } from '../oauth/bearer-challenge.ts';
import { parseBearerChallenge } from '../oauth/bearer-challenge.ts';
import type { Http } from '../ports.ts';
import { PosternError } from '../postern-error.ts';
import type { Credential } from './credential-gate.ts';
import { attachCredential } from './credential-gate.ts';

/** What the server said no to a request with: 401, or 403 `insufficient_scope` (RFC 6750 3.1). */
export interface Refusal {
  readonly kind: 'unauthorized' | 'insufficient-scope';
  readonly challenge: BearerChallenge | undefined;
}

/** Where requests get their credential from, and a fresher one once a server has refused it. */
export interface CredentialSource {
  current(): Promise<Credential | undefined>;
  /** Called after a 401. `undefined`: there is nothing fresher. */
  renew(refused: Credential): Promise<Credential | undefined>;
}

export interface McpFetchOptions {
  readonly http: Http;
  readonly policy: AddressPolicy;
  readonly credentials: CredentialSource;
  /** Told before an error goes up through the MCP library, which may wrap it and lose what it says. */
  readonly onFailure: (error: PosternError, refusal: Refusal | undefined) => void;
}

/**
 * The fetch under the MCP client: our HTTP rules, our credential gate, and one renewal and one more try after a 401
 * (a request that was refused for its token has not been acted on). The MCP library gets no auth provider, so
 * nothing but this attaches a token, and nothing of it can start a browser.
 */
export function createMcpFetch({ http, policy, credentials, onFailure }: McpFetchOptions): typeof fetch {
  async function send(url: URL, init: RequestInit | undefined, credential: Credential | undefined): Promise<Response> {
    const headers = new Headers(init?.headers);
    if (credential) attachCredential(headers, url, credential);
    return await http.stream({
      purpose: 'mcp',
      stage: 'connection',
      method: readMethod(init?.method),
      url: url.href,
      headers: Object.fromEntries(headers),
      ...(typeof init?.body === 'string' && { body: init.body }),
      policy,
      deadline: deadline.mcpHeaders,
      signal: init?.signal ?? undefined,
    });
  }

  async function exchange(url: URL, init: RequestInit | undefined): Promise<Response> {
    const credential = await credentials.current();
    const response = await send(url, init, credential);
    if (response.status !== 401 || !credential) return response;
    const fresher = await credentials.renew(credential);
    if (!fresher) return response;
    await response.body?.cancel();
    return await send(url, init, fresher);
  }

  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    let refused: Refusal | undefined;
    try {
      const response = await exchange(url, init);
      const refusal = refusalOf(response);
      if (!refusal) return response;
      await response.body?.cancel();
      refused = refusal;
      throw refusedError(refusal, url);
    } catch (error) {
      if (error instanceof PosternError) onFailure(error, refused);
      throw error;
    }
  };
}

function refusedError({ kind }: Refusal, url: URL): PosternError {
  const code = kind === 'unauthorized' ? 'SIGN_IN_REQUIRED' : 'SCOPE_REQUIRED';
  return new PosternError(code, { stage: 'connection', detail: { host: url.host } });
}

function refusalOf(response: Response): Refusal | undefined {
  if (response.status === 401) return { kind: 'unauthorized', challenge: parseBearerChallenge(response.headers) };
  if (response.status !== 403) return undefined;
  const challenge = parseBearerChallenge(response.headers);
  // Some servers answer 403 to a token that they do not know; only the challenge tells the two apart.
  if (challenge?.error === 'invalid_token') return { kind: 'unauthorized', challenge };
  return challenge?.error === 'insufficient_scope' ? { kind: 'insufficient-scope', challenge } : undefined;
}

function readMethod(method: string | undefined): 'GET' | 'POST' | 'DELETE' {
  return method === 'POST' || method === 'DELETE' ? method : 'GET';
}
