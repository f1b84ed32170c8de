import { OAuthError, OAuthErrorCode, verifyBearerToken } from '@modelcontextprotocol/server';
import type { AuthInfo } from '@modelcontextprotocol/server';
import { createTokenVerifier } from './introspect-token.ts';
import type { McpServerOptions } from './mcp-server-options.ts';
import { createProofGate } from './proof-gate.ts';
import { usualScopes } from './scopes.ts';

export interface GateInput {
  readonly options: McpServerOptions;
  readonly resource: string;
  readonly resourceMetadataUrl: string;
}

const invalidToken: string = OAuthErrorCode.InvalidToken;

export interface BearerGate {
  /** Returns the token's information, or the error response to send. */
  judge(request: Pick<Request, 'headers' | 'method' | 'url'>): Promise<AuthInfo | undefined | Response>;
  /** Adjusts the response to an accepted request. */
  passed(response: Response): Response;
}

/** RFC 6750, RFC 9449 and RFC 9728 5.1: 401 with the challenge; without an authorization server everything passes. */
export function createBearerGate({ options, resource, resourceMetadataUrl }: GateInput): BearerGate {
  const { authorizationServer } = options;
  if (authorizationServer === undefined) return { judge: async () => undefined, passed: (response) => response };
  const hints: { resourceMetadata: boolean | string; scope: boolean } = {
    resourceMetadata: true,
    scope: true,
    ...(options.challenge === 'none' ? {} : options.challenge),
  };
  const verifier = createTokenVerifier(authorizationServer.introspection);

  const proofs = options.dpop && createProofGate(options.dpop);

  return { judge, passed };

  async function judge({ headers, method, url }: Pick<Request, 'headers' | 'method' | 'url'>) {
    const authorization = headers.get('authorization');
    // RFC 6750 3.1: a request without a token gets no error code.
    if (authorization === null) return refuse(undefined);
    const token = authorization.replace(/^(?:Bearer|DPoP) +/i, '');
    const isDpop = proofs !== undefined && /^DPoP /i.test(authorization);
    try {
      if (options.reject?.(token) === true) {
        throw new OAuthError(invalidToken, 'The access token is not taken any more');
      }
      const known = await verifyBearerToken(isDpop ? `Bearer ${token}` : authorization, {
        verifier,
        expectedResource: new URL(resource),
        ...(hints.resourceMetadata === false ? {} : { resourceMetadataUrl: namedUrl(hints.resourceMetadata) }),
      });
      const thumbprint = known.extra?.['thumbprint'] as string | undefined;
      if (!proofs || (!isDpop && options.dpop?.scheme === 'both' && thumbprint === undefined)) return known;
      // RFC 9449 7.2: a bound token is invalid without a proof of its key.
      if (!isDpop) throw new OAuthError(invalidToken, 'The access token needs a proof');
      const { origin, pathname } = new URL(url);
      const proof = headers.get('dpop');
      const fault = proofs.check({ proof, method, url: `${origin}${pathname}`, token, thumbprint });
      return fault === undefined ? known : refuse(new OAuthError(fault, 'The proof was refused'));
    } catch (error) {
      if (error instanceof OAuthError && error.code === invalidToken) return refuse(error);
      return Response.json({ error: 'server_error' }, { status: 500 });
    }
  }

  function passed(response: Response): Response {
    const nonce = proofs?.nonce();
    if (nonce === undefined) return response;
    const { status, body, headers } = response;
    const more = new Headers(headers);
    more.set('dpop-nonce', nonce);
    return new Response(body, { status, headers: more });
  }

  function refuse(error: OAuthError | undefined): Response {
    const isOfProof = error !== undefined && error.code !== invalidToken;
    const isBound = options.dpop?.scheme === 'only';
    const parameters = [
      ...(error === undefined || (isOfProof && !isBound)
        ? []
        : [`error="${error.code}"`, `error_description="${error.message}"`]),
      ...(hints.resourceMetadata === false ? [] : [`resource_metadata="${namedUrl(hints.resourceMetadata)}"`]),
      ...(hints.scope ? [`scope="${usualScopes.join(' ')}"`] : []),
    ];
    const algs = `algs="${options.dpop?.algs ?? 'ES256'}"`;
    const challenges = isBound
      ? [['DPoP', [...parameters, algs].join(', ')]]
      : [
          ['Bearer', parameters.join(', ')],
          ...(options.dpop ? [['DPoP', [...(isOfProof ? [`error="${error.code}"`] : []), algs].join(', ')]] : []),
        ];
    const field = challenges.map((challenge) => challenge.join(' ').trim()).join(', ');
    const headers: Record<string, string> = options.challenge === 'none' ? {} : { 'www-authenticate': field };
    const body = error === undefined ? { error: 'unauthorized' } : error.toResponseObject();
    return passed(Response.json(body, { status: 401, headers }));
  }

  function namedUrl(named: string | true): string {
    return named === true ? resourceMetadataUrl : new URL(named, resourceMetadataUrl).href;
  }
}
