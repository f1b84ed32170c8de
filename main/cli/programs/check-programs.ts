import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import type { Collection } from '../../../shared/collection.ts';
import { collectionReference, titleOf } from '../../../shared/entry-name.ts';
import { comesOverHttp, isOtherProgram } from '../../../shared/program-record.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import type { Settings } from '../../../shared/settings.ts';
import { checkSteps, entryFaultWords } from '../../../shared/status-words.ts';
import type { CheckedFile, EntryFault } from '../../apps/look/check-entries.ts';
import { gatewayUrlOf } from '../../apps/program-engine.ts';
import type { ProgramEngine } from '../../apps/program-engine.ts';
import { knownPrograms } from '../../apps/records/program-records.ts';
import type { Program } from '../../apps/table/program.ts';
import { toPlainError } from '../../errors/postern-error.ts';
import { gatewayPlace, isServed, readHolder } from '../../host/gateway/gateway-holder.ts';
import type { Holder } from '../../host/gateway/gateway-holder.ts';
import { faultFacts } from '../../operations/doctor.ts';
import type { AppFindings } from '../../operations/doctor.ts';
import { ActivityReader } from '../../storage/profile/activity-store.ts';
import { readVersion } from '../output/version.ts';
import { writeReference, writeWhere } from '../output/write-command.ts';
import { printableLine } from '../text.ts';

/** Whether programs can use servers through Postern, in words for a person. Errors: CFG_*. */
export async function checkPrograms(
  engine: ProgramEngine,
  { files, records, waiting, empty }: AppFindings,
  settings: Settings,
): Promise<readonly ProgramCheck[]> {
  const found = [...files.flatMap(checkFile), ...waiting.map(checkWaiting)];
  const isUsed = files.some(({ entries }) => entries.length > 0);
  const well: ProgramCheck = {
    name: 'programs',
    ok: true,
    message: isUsed ? 'The entries of your programs lead to your servers.' : 'No program uses Postern yet.',
  };
  return [
    ...checkPause(settings, await knownPrograms(engine)),
    await checkGateway(engine.profileFolder),
    ...(await checkHttp(engine.profileFolder, settings.gatewayPort, records)),
    checkPipe(engine),
    ...(found.length > 0 ? found : [well]),
    ...empty.map(checkCollection),
    await checkActivity(engine.profileFolder, settings),
  ];
}

/** Lines that the user has yet to paste. Only its first call tells of a program without a known file. */
function checkWaiting({
  record: { program, name },
  server: { id, alias = id, name: server },
}: AppFindings['waiting'][number]): ProgramCheck {
  const [who, what] = [printableLine(name, 80), printableLine(server, 80)];
  return isOtherProgram(program)
    ? { name: 'programs', ok: true, message: `${who} has not used ${what} yet.`, program }
    : {
        name: 'programs',
        ok: false,
        message: `${who} is waiting for you: the lines of ${what} are not in its configuration.`,
        nextStep: `postern use ${writeReference(alias)} ${program}`,
        program,
      };
}

function checkCollection(collection: Collection): ProgramCheck {
  return {
    name: 'collections',
    ok: false,
    message: `The collection “${printableLine(titleOf(collection), 80)}” has no servers: a program gets nothing by ${collectionReference(collection)}.`,
    nextStep: `postern collection ${collection.name} ID`,
  };
}

/** Whether a person lets programs use servers at all. Nothing to say where they do. */
function checkPause(
  { programsPaused, pausedPrograms = [] }: Settings,
  programs: readonly Pick<Program, 'id' | 'name'>[],
): readonly ProgramCheck[] {
  const check = (message: string, nextStep: string): ProgramCheck => ({ name: 'pause', ok: false, message, nextStep });
  const all = 'You have paused all programs: whatever they ask is refused.';
  return [
    ...(programsPaused === true ? [check(all, 'postern settings programsPaused false')] : []),
    // Each by itself: nobody who lets one go on wants all of them to.
    ...programs
      .filter(({ id }) => pausedPrograms.includes(id))
      .map(({ id, name }) =>
        check(
          `You have paused ${printableLine(name, 200)}: whatever it asks is refused.`,
          `postern programs ${id} --resume`,
        ),
      ),
  ];
}

/** What is kept of the calls of programs. */
async function checkActivity(folder: string, { activity }: Settings): Promise<ProgramCheck> {
  const { calls } = await new ActivityReader(folder).read();
  const kept = calls.length === 1 ? '1 call is kept' : `${calls.length} calls are kept`;
  const noted =
    activity === 'off'
      ? 'Calls of programs are not noted, as you have set it'
      : 'Postern notes which program calls what, never what is said';
  return { name: 'activity', ok: true, message: `${noted}; ${kept}.` };
}

function checkPipe({ pipe: { command } }: ProgramEngine): ProgramCheck {
  const version = readVersion();
  const facts = { name: 'pipe', path: command, version } as const;
  const message = `Programs start ${printableLine(command, 200)}, of Postern ${version}.`;
  if (existsSync(command)) return { ...facts, ok: true, message };
  return { ...facts, ok: false, message: `${message} It is not there.`, nextStep: 'Install Postern again.' };
}

function checkFile({ program, file, entries, error }: CheckedFile): ProgramCheck[] {
  const name = 'programs';
  if (error) {
    const message = `${program.name} cannot be looked into: ${toPlainError(error).message}`;
    const nextStep = 'Fix it; Postern leaves it alone until then.';
    return [{ name, ok: false, message, nextStep, program: program.id, path: file.path }];
  }
  const where = writeWhere(file);
  return entries.flatMap((entry): ProgramCheck[] => {
    const { fault } = entry;
    if (!fault) return [];
    const said = entryFaultWords[fault]({ of: program.name, ...faultFacts(entry, fault) });
    return [
      {
        name,
        ok: false,
        message: `The entry “${printableLine(entry.name, 80)}” of ${program.name} ${said}`,
        nextStep: writeStep(checkSteps[fault], program.name, `${writeReference(entry.server)} ${program.id}${where}`),
        program: program.id,
        entry: entry.name,
        path: file.path,
      },
    ];
  });
}

/** The step that helps an entry of `program`. `words`: of a command about it. */
function writeStep(step: (typeof checkSteps)[EntryFault], program: string, words: string): string {
  switch (step) {
    case 'take-out':
      return `postern unuse ${words}`;
    case 'allow':
    case 'renew':
      return `postern use ${words}`;
    case 'renew-address':
      return `postern use ${words} --http`;
    case 'change-setting':
      return `Change that setting in ${program}.`;
  }
}

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
async function checkGateway(folder: string): Promise<ProgramCheck> {
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
async function checkHttp(
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

/** What programs need to use servers through Postern, in words for a person; the facts beside them are for programs. */
export interface ProgramCheck {
  readonly name: 'gateway' | 'http' | 'pipe' | 'programs' | 'collections' | 'activity' | 'pause';
  readonly ok: boolean;
  readonly message: string;
  readonly nextStep?: string;
  /** Who serves programs; `null`: nobody, or one that does not say. */
  readonly holder?: { readonly kind: 'window' | 'serve'; readonly pid: number } | null;
  readonly socket?: string | null;
  readonly port?: number;
  /** What entries start, and of which version it is. */
  readonly path?: string;
  readonly version?: string;
  readonly program?: string;
  readonly entry?: string;
}
