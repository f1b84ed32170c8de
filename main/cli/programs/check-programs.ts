import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { once } from 'node:events';
import { isServed } from '../../engine/is-served.ts';
import { gatewayPlace } from '../../engine/hand-over.ts';
import { lookInside } from '../../programs/look-inside.ts';
import type { DescribedProgram } from '../../programs/look-inside.ts';
import type { ProgramEngine } from '../../programs/program-engine.ts';
import { programs } from '../../programs/table.ts';
import type { Integration } from '../../../shared/integration.ts';
import { printableLine } from '../printable.ts';

/** What programs need to use servers through Postern, in words for a person. */
export interface ProgramCheck {
  readonly name: 'gateway' | 'pipe' | 'programs' | 'activity';
  readonly ok: boolean;
  readonly message: string;
  readonly nextStep?: string;
}

/** Milliseconds for a socket of this computer to take a connection. */
const patience = 1_000;

/** Looks into the files of those programs alone that were added here. Errors: CFG_*. */
export async function checkPrograms(
  engine: ProgramEngine,
  integrations: readonly Integration[],
): Promise<readonly ProgramCheck[]> {
  const used = new Set((await engine.records.list()).map(({ program }) => program));
  const added = programs.filter(({ id }) => used.has(id));
  const inside = await Promise.all(added.map((program) => lookInside(engine, program, integrations)));
  const found = inside.flatMap(checkEntries);
  const well: ProgramCheck = {
    name: 'programs',
    ok: true,
    message: added.length === 0 ? 'No program uses Postern yet.' : 'The entries of your programs lead to your servers.',
  };
  return [await checkGateway(engine.profileFolder), checkPipe(engine), ...(found.length > 0 ? found : [well])];
}

/** The lock says whether somebody serves, the socket whether programs get there. */
async function checkGateway(folder: string): Promise<ProgramCheck> {
  if (!(await isServed(folder))) {
    return {
      name: 'gateway',
      ok: true,
      message: 'Nobody serves programs just now; the first that needs it starts it.',
    };
  }
  const path = (await gatewayPlace(folder)) ?? folder;
  if (await takesConnections(path)) {
    return { name: 'gateway', ok: true, message: `Programs are served at ${printableLine(path, 200)}.` };
  }
  return {
    name: 'gateway',
    ok: false,
    message: `A Postern serves programs, but cannot be reached at ${printableLine(path, 200)}.`,
    nextStep: 'End it, or close its window; the next program that needs it starts another.',
  };
}

async function takesConnections(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(patience) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

function checkPipe({ pipe: { command } }: ProgramEngine): ProgramCheck {
  const message = `Programs start ${printableLine(command, 200)}.`;
  if (existsSync(command)) return { name: 'pipe', ok: true, message };
  return { name: 'pipe', ok: false, message: `${message} It is not there.`, nextStep: 'Install Postern again.' };
}

function checkEntries({ program, state, file, entries }: DescribedProgram): ProgramCheck[] {
  const name = 'programs';
  if (state === 'denied' || state === 'damaged') {
    const what = state === 'denied' ? 'may not be read' : 'cannot be understood';
    const message = `The file of ${program.name}, ${printableLine(file.path, 200)}, ${what}.`;
    return [{ name, ok: false, message, nextStep: 'Mend it; Postern leaves it alone until then.' }];
  }
  return entries
    .filter(({ kind }) => kind === 'postern')
    .flatMap((entry): ProgramCheck[] => {
      const quoted = `The entry “${printableLine(entry.name, 80)}” of ${program.name}`;
      if (entry.integration === undefined) {
        const message = `${quoted} leads to a server that is not connected any more.`;
        return [{ name, ok: false, message, nextStep: `Take it out of ${printableLine(file.path, 200)}.` }];
      }
      if (entry.command === undefined || existsSync(entry.command)) return [];
      const message = `${quoted} starts ${printableLine(entry.command, 200)}, which is not there any more.`;
      return [{ name, ok: false, message, nextStep: `postern use ${entry.integration} ${program.id}` }];
    });
}
