import type { ProgramRecord } from '../../shared/program-record.ts';
import type { ProgramLine } from '../gateway-ports.ts';
import type { ServedServer } from './server/served-server.ts';
import type { Session } from './session/session.ts';

/** A session at the socket, as the gateway has it. */
export interface OpenLine {
  readonly line: ProgramLine;
  readonly session: Session;
  readonly server: ServedServer;
  readonly program: ProgramRecord | undefined;
  readonly isOnce: boolean;
}
