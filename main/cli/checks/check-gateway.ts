import { once } from 'node:events';
import { connect } from 'node:net';
import { gatewayPlace, type Holder, readHolder } from '../../engine/gateway/hand-over.ts';
import { isServed } from '../../engine/gateway/is-served.ts';
import { comesOverHttp, type ProgramRecord } from '../../../shared/program-record.ts';
import { gatewayUrlOf } from '../../programs/program-engine.ts';
import { printableLine } from '../text/printable.ts';
import type { ProgramCheck } from './program-check.ts';

/** Milliseconds for a socket of this computer to take a connection. */
const patience = 1_000;
/** Milliseconds for whoever serves to read a line: a process that hangs takes connections and reads none. */
const answeringTime = 5_000;

const holders: Readonly<Record<Holder['kind'], string>> = {
  window: 'The Postern with the window',
  serve: 'A `postern serve`',
};

/**
 * The lock says whether somebody serves, `endpoint.json` who, and the socket whether programs get there. Never rejects.
 */
export async function checkGateway(folder: string): Promise<ProgramCheck> {
  const name = 'gateway';
  if (!(await isServed(folder))) {
    const message = 'Nobody serves programs just now; the first that needs it starts it.';
    return { name, ok: true, message, holder: null, socket: null };
  }
  const [place, holder] = [(await gatewayPlace(folder)) ?? folder, await readHolder(folder)];
  const who = holder ? `${holders[holder.kind]} (process ${holder.pid})` : 'A Postern';
  const facts = { holder: holder ? { kind: holder.kind, pid: holder.pid } : null, socket: place };
  const shown = printableLine(place, 200);
  if (holder?.isLeaving === true) {
    const message = `${who} answers what is under way, and ends; the next program that needs it starts another.`;
    return { name, ok: true, message, ...facts, socket: null };
  }
  const isReached = await takesConnections({ path: place });
  if (isReached && (await answers(place))) {
    return { name, ok: true, message: `${who} serves programs at ${shown}.`, ...facts };
  }
  const message = isReached
    ? `${who} holds ${shown} but does not answer, so that programs cannot be served.`
    : `${who} serves programs, but cannot be reached at ${shown}.`;
  return { name, ok: false, message, nextStep: 'End it; the next program that needs it starts another.', ...facts };
}

/** The way in over HTTP, where a program needs it. Never rejects. */
export async function checkHttp(
  folder: string,
  port: number | undefined,
  records: readonly ProgramRecord[],
): Promise<readonly ProgramCheck[]> {
  if (port === undefined || !records.some(comesOverHttp)) return [];
  const name = 'http';
  const address = gatewayUrlOf(port);
  const isOpen = (await isServed(folder)) && (await readHolder(folder))?.http === address;
  if (isOpen) return [{ name, ok: true, message: `Programs with an address reach Postern at ${address}.`, port }];
  if (await takesConnections({ port, host: '127.0.0.1' })) {
    const message = `Port ${port} is used by another program, so that programs with an address do not reach Postern.`;
    return [{ name, ok: false, message, nextStep: 'End that program; Postern then takes the port.', port }];
  }
  const message = `Nobody answers programs at ${address}; an entry with an address cannot start Postern.`;
  return [{ name, ok: false, message, nextStep: 'Open the window of Postern, or run `postern serve`.', port }];
}

/** Whether the gateway reads what is said: it hangs up on a first line that opens nothing. */
async function answers(place: string): Promise<boolean> {
  const socket = connect(place);
  socket.resume();
  socket.write('{"postern":1,"control":"there"}\n');
  try {
    await once(socket, 'close', { signal: AbortSignal.timeout(answeringTime) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function takesConnections(place: { readonly path: string } | { readonly port: number; readonly host: string }) {
  const socket = connect(place);
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(patience) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
