import type { ProgramRecord } from '../../../shared/program-record.ts';
import type { Clock } from '../../ports.ts';
import { uncounted } from '../../holding.ts';
import type { AppBudget } from '../limits/message-budget.ts';
import type { OpenOne, SessionRoom } from '../limits/session-room.ts';
import { handshakeOf, resultForOlder, withMeta } from '../bridge/both-eras.ts';
import type { OlderProgram } from '../bridge/both-eras.ts';
import { requestText } from '../bridge/message-texts.ts';
import { resultOf } from '../bridge/older-requests.ts';
import { CallLog } from '../log/call-log.ts';
import type { CallLogPorts } from '../log/call-log.ts';
import { readEnvelope } from '../messages/envelope.ts';
import type { JsonObject } from '../messages/envelope.ts';
import { asProgramSession, openSession } from '../session/open-session.ts';
import type { OpenedSession } from '../session/open-session.ts';
import type { Session } from '../session/session.ts';
import type { ServedServer } from '../server/served-server.ts';
import type { MemberLine, MemberSession } from './member-ports.ts';

export interface OpenMemberPorts extends CallLogPorts {
  readonly clock: Clock;
  readonly room: SessionRoom;
  readonly budget: AppBudget;
  readonly program: ProgramRecord | undefined;
  readonly record: ProgramRecord | undefined;
  /** Before a request is sent in the name of the program. Errors: PosternError. */
  readonly admit: () => void;
  /** Told of the session, until it is closed. */
  readonly enter: (session: Pick<Session, 'isIdle' | 'isBehind' | 'catchUp' | 'close'>) => () => void;
}

/**
 * A session with one member, opened as for a program that uses that server alone: its place, its line in the list of
 * calls, and what the person has said of its tools are the same. Errors: PosternError, GATEWAY_BUSY among them.
 */
export function openMember(server: ServedServer, line: MemberLine, ports: OpenMemberPorts): MemberSession {
  const { room, budget, program, record, admit, clock } = ports;
  // With its collection it ends where others need the room.
  const place: OpenOne = { program: program?.id };
  room.enter(place);
  let opened: OpenedSession;
  try {
    const calls = new CallLog(ports, { program: record?.program, server });
    opened = openSession(server, { calls, clock, budget, program, admit, ...line });
  } catch (error) {
    room.leave(place);
    throw error;
  }
  const { session } = opened;
  const leave = ports.enter({
    get isIdle() {
      return session.isIdle;
    },
    get isBehind() {
      return session.isBehind || line.isBehind();
    },
    catchUp: (reason) => line.catchUp(reason),
    close: () => session.close(),
  });
  const close = async (): Promise<void> => {
    leave();
    room.leave(place);
    await session.close();
  };
  // What comes for it has been read whole.
  const asked = asProgramSession(opened, close, uncounted);
  return {
    reading: uncounted,
    receive: (bytes) => asked.receive(bytes),
    refuseLong: (beginning) => asked.refuseLong(beginning),
    rest: () => asked.rest(),
    close: () => asked.close(),
    get isIdle() {
      return asked.isIdle;
    },
    kept: (method, older, cursor) => keptResult(opened, server, { method, program: older, cursor }),
    newId: () => server.own.newId(),
    catchUp: (reason) => session.catchUp(reason),
  };
}

/** Of either wire: what a program of the newer one was told is as true. */
async function keptResult(
  { kept }: OpenedSession,
  { integration }: ServedServer,
  { method, program, cursor }: { method: string; program: OlderProgram; cursor: string | undefined },
): Promise<JsonObject | undefined> {
  const isHandshake = method === 'initialize';
  const page = cursor === undefined ? {} : { cursor };
  const older = await keptAnswer(kept, method, isHandshake ? { protocolVersion: program.revision } : page);
  if (older) return older;
  const newer = await keptAnswer(kept, isHandshake ? 'server/discover' : method, withMeta(page, program, undefined));
  if (!newer) return undefined;
  return isHandshake
    ? handshakeOf(newer, program, integration.alias ?? integration.name)
    : resultForOlder(method, newer);
}

async function keptAnswer(
  kept: OpenedSession['kept'],
  method: string,
  params: JsonObject,
): Promise<JsonObject | undefined> {
  const request = readEnvelope(requestText('0', method, params));
  const answer = request.kind === 'request' ? await kept(request) : undefined;
  const message = answer && readEnvelope(answer);
  return message?.kind === 'answer' && !message.hasError ? resultOf(message) : undefined;
}
