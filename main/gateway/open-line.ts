import type { ProgramRecord } from '../../shared/program-record.ts';
import type { ProgramLine } from '../gateway-ports.ts';
import type { ServedServer } from './server/served-server.ts';
import type { Session } from './session/session.ts';

/** A session of one program with one server, as the gateway has it: at the socket, or that of a collection. */
export interface OpenLine {
  readonly line: Pick<ProgramLine, 'hangUp'>;
  readonly session: Pick<Session, 'isIdle' | 'isBehind' | 'catchUp' | 'close'>;
  readonly server: ServedServer;
  readonly program: ProgramRecord | undefined;
  /** What the program has to be allowed: the server by its id, or a collection. */
  readonly right: string;
  readonly isOnce: boolean;
  readonly isAtSocket: boolean;
}
