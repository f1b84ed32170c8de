import type { TraceEntry } from '../../../shared/trace.ts';
import type { DesktopContext } from '../desktop-context.ts';

/** The trace of a connection, else the last one of an integration; empty where there was none in this run. */
export function traceOf({ connections, board }: DesktopContext, id: string): readonly TraceEntry[] {
  const connection = connections.find((candidate) => candidate.id === id);
  const trace = connection?.attempt?.trace ?? connections.ofIntegration(id)?.attempt?.trace ?? board.of(id).trace;
  return trace?.entries() ?? [];
}
