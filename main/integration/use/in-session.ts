import type { WireEra } from '../../../shared/integration.ts';
import type { McpConnection } from '../../mcp/client/connect-mcp.ts';
import { EndedSession } from '../../mcp/http/ended-session.ts';
import type { OpenServer } from './opened-server.ts';

/**
 * Runs `work` on a connection, and once more on a new one where the server has ended the session meanwhile: what it
 * answers 404 to it has not acted on (MCP 2025-11-25, session management 3 and 4). `opening`: the first connection,
 * where it is under way already. Errors: as `failure` reads what the MCP library and `work` throw,
 * and as they are those of connecting.
 */
export async function inSession<Result>(
  server: Pick<OpenServer, 'connect' | 'failure'>,
  era: WireEra | undefined,
  signal: AbortSignal,
  work: (connection: McpConnection) => Promise<Result>,
  opening: Promise<McpConnection> = server.connect(era, signal),
): Promise<Result> {
  const connection = await opening;
  try {
    return await work(connection);
  } catch (error) {
    if (signal.aborted) throw error;
    const failure = await server.failure(error);
    if (!(failure instanceof EndedSession)) throw failure;
  } finally {
    await connection.close();
  }
  const anew = await server.connect(connection.era, signal);
  try {
    return await work(anew);
  } catch (error) {
    throw await server.failure(error);
  } finally {
    await anew.close();
  }
}
