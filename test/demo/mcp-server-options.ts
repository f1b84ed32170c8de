import type { IncomingMessage, ServerResponse } from 'node:http';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import type { AuthorizationServer, Metadata, RecordedRequest } from './authorization-server-options.ts';
import type { ProofGateOptions } from './proof-gate.ts';

export interface McpServerOptions {
  /** Default: 0, any free port. */
  readonly port?: number;
  /** Default: `/mcp`. */
  readonly path?: string;
  /** Absent: no sign-in at all. */
  readonly authorizationServer?: Pick<AuthorizationServer, 'issuer' | 'introspection' | 'addResource'>;
  /**
   * Parameters of a 401 challenge after `Bearer` (a path means another metadata URL of this server); `none`: a 401
   * without `WWW-Authenticate`.
   */
  readonly challenge?: 'none' | { readonly resourceMetadata?: boolean | string; readonly scope?: boolean };
  /** Required audience of tokens. Default: the server's URL. */
  readonly resource?: (url: string) => string;
  /** Locations of the RFC 9728 metadata. */
  readonly resourceMetadata?: 'path' | 'root' | 'both' | 'none';
  /** Changes that metadata before it is served. */
  readonly metadata?: (document: Metadata) => Metadata;
  /** JSON-RPC methods that need no token, such as `initialize`. */
  readonly openMethods?: readonly string[];
  /** Returns true for a token that this server rejects regardless of the authorization server. */
  readonly reject?: (token: string) => boolean;
  /** Accepts key-bound tokens with a proof (RFC 9449); absent: no DPoP. */
  readonly dpop?: ProofGateOptions;
  /** Protocol revisions it supports: with `initialize` (2025) and stateless (2026-07-28). */
  readonly protocols?: 'both' | 'session' | 'stateless';
  /** Default: the demo's notes. */
  readonly createServer?: McpServerFactory;
  /** Never closes idle connections, which on a busy computer may lose a request in flight. */
  readonly keepsConnections?: boolean;
  /** Sees every request first; returns true if it answered. */
  readonly intercept?: (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;
}

export interface RecordedMcpRequest extends RecordedRequest {
  /** The JSON-RPC method of a POST to the server's path. */
  rpcMethod?: string;
  /** The access token in the request. */
  token?: string;
}

export interface DemoMcpServer {
  /** The URL that a user types. */
  readonly url: string;
  readonly origin: string;
  readonly port: number;
  /** All requests, oldest first. */
  readonly requests: readonly RecordedMcpRequest[];
  close(): Promise<void>;
}
