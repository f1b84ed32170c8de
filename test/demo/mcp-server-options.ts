import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AuthorizationServer, Metadata, RecordedRequest } from './authorization-server-options.ts';
import type { ProofGateOptions } from './proof-gate.ts';

export interface McpServerOptions {
  /** 0, the default: any free port. */
  readonly port?: number;
  /** `/mcp` when absent. */
  readonly path?: string;
  /** Absent: no sign-in at all. */
  readonly authorizationServer?: Pick<AuthorizationServer, 'issuer' | 'introspection' | 'addResource'>;
  /**
   * What a 401 says beside `Bearer` (a path stands for another metadata address of this server); `none`: a 401 without
   * `WWW-Authenticate`.
   */
  readonly challenge?: 'none' | { readonly resourceMetadata?: boolean | string; readonly scope?: boolean };
  /** What the tokens have to be for; the server's URL when absent. */
  readonly resource?: (url: string) => string;
  /** Where the metadata of RFC 9728 can be read. */
  readonly resourceMetadata?: 'path' | 'root' | 'both' | 'none';
  /** Changes that metadata before it is served. */
  readonly metadata?: (document: Metadata) => Metadata;
  /** JSON-RPC methods that are answered without a token, such as `initialize`. */
  readonly openMethods?: readonly string[];
  /** Answers true for a token that this server no longer takes, whatever the authorization server says. */
  readonly reject?: (token: string) => boolean;
  /** Tokens that are bound to a key are taken, with a proof of it (RFC 9449); absent: DPoP is not known here. */
  readonly dpop?: ProofGateOptions;
  /** The wires it speaks: `initialize` (2025) and the stateless one (2026-07-28). */
  readonly eras?: 'both' | 'legacy' | 'modern';
  /** It never ends a connection that it takes for idle, which on a busy computer may lose a request on its way. */
  readonly keepsConnections?: boolean;
  /** Sees every request first; answers true when it has answered itself. */
  readonly intercept?: (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;
}

export interface RecordedMcpRequest extends RecordedRequest {
  /** The JSON-RPC method of a POST to the server's path. */
  rpcMethod?: string;
  /** The access token that came with it. */
  token?: string;
}

export interface DemoMcpServer {
  /** What a person types. */
  readonly url: string;
  readonly origin: string;
  readonly port: number;
  /** Everything that arrived, oldest first. */
  readonly requests: readonly RecordedMcpRequest[];
  close(): Promise<void>;
}
