import type { WireEra } from '../../../shared/integration.ts';
import type { McpConnection } from '../../mcp/client/connect-mcp.ts';
import type { PosternError } from '../../postern-error.ts';

/** A server as one integration reaches it. */
export interface OpenServer {
  connect(era: WireEra | undefined, signal: AbortSignal): Promise<McpConnection>;
  /** The typed error behind whatever the MCP library threw: where the server refused it, a `RefusedRequest`. */
  failure(thrown: unknown): Promise<PosternError>;
}
