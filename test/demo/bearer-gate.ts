import { OAuthError, OAuthErrorCode, verifyBearerToken } from '@modelcontextprotocol/server';
import type { AuthInfo } from '@modelcontextprotocol/server';
import { createTokenVerifier } from './introspect-token.ts';
import type { McpServerOptions } from './mcp-server-options.ts';
import { usualScopes } from './scopes.ts';

export interface GateInput {
  readonly options: McpServerOptions;
  readonly resource: string;
  readonly resourceMetadataUrl: string;
}

const invalidToken: string = OAuthErrorCode.InvalidToken;

/** Lets a request through with what is known about its token, or answers with the refusal to send. */
export type BearerGate = (authorization: string | null) => Promise<AuthInfo | undefined | Response>;

/** RFC 6750 and RFC 9728 5.1: 401 with the challenge; with no authorization server everything passes. */
export function createBearerGate({ options, resource, resourceMetadataUrl }: GateInput): BearerGate {
  const { authorizationServer } = options;
  if (authorizationServer === undefined) return async () => undefined;
  const hints: { resourceMetadata: boolean | string; scope: boolean } = {
    resourceMetadata: true,
    scope: true,
    ...(options.challenge === 'none' ? {} : options.challenge),
  };
  const verifier = createTokenVerifier(authorizationServer.introspection);

  return async (authorization) => {
    // RFC 6750 3.1: a request without a token is told no error.
    if (authorization === null) return refuse(undefined);
    try {
      if (options.reject?.(authorization.replace(/^Bearer +/i, '')) === true) {
        throw new OAuthError(invalidToken, 'The access token is not taken any more');
      }
      return await verifyBearerToken(authorization, {
        verifier,
        expectedResource: new URL(resource),
        ...(hints.resourceMetadata === false ? {} : { resourceMetadataUrl: namedUrl(hints.resourceMetadata) }),
      });
    } catch (error) {
      if (error instanceof OAuthError && error.code === invalidToken) return refuse(error);
      return Response.json({ error: 'server_error' }, { status: 500 });
    }
  };

  function refuse(error: OAuthError | undefined): Response {
    const parameters = [
      ...(error === undefined ? [] : [`error="invalid_token"`, `error_description="${error.message}"`]),
      ...(hints.resourceMetadata === false ? [] : [`resource_metadata="${namedUrl(hints.resourceMetadata)}"`]),
      ...(hints.scope ? [`scope="${usualScopes.join(' ')}"`] : []),
    ];
    const headers: Record<string, string> =
      options.challenge === 'none' ? {} : { 'www-authenticate': ['Bearer', parameters.join(', ')].join(' ').trim() };
    const body = error === undefined ? { error: 'unauthorized' } : error.toResponseObject();
    return Response.json(body, { status: 401, headers });
  }

  function namedUrl(named: string | true): string {
    return named === true ? resourceMetadataUrl : new URL(named, resourceMetadataUrl).href;
  }
}
