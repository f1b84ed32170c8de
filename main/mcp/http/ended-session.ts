import { PosternError } from '../../postern-error.ts';

/** The session that a message named has ended: a new one may be tried. */
export class EndedSession extends PosternError {
  constructor(host: string) {
    super('SESSION_ENDED', { stage: 'connection', detail: { host, status: 404 } });
  }
}

/**
 * MCP 2025-11-25, session management 3: the server does not know the session that a message named, and has not acted
 * on it.
 */
export function isOfEndedSession({ status }: Pick<Response, 'status'>, sessionId: string | null | undefined): boolean {
  return status === 404 && typeof sessionId === 'string';
}
