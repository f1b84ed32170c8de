import { existsSync } from 'node:fs';
import type { Collection } from '../../../shared/collection.ts';
import { collectionNamed, collectionReference, titleOf } from '../../../shared/collection-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import { isOtherProgram, type ProgramRecord } from '../../../shared/program-record.ts';
import type { Settings } from '../../../shared/settings.ts';
import { toPlainError } from '../../plain-error.ts';
import { checkEntries, type CheckedEntry, type CheckedFile, settleWaiting } from '../../programs/look/check-entries.ts';
import { knownPrograms } from '../../programs/records/other-program.ts';
import type { Program } from '../../programs/table/program.ts';
import { type UsedServer, usedServers } from '../../programs/used-server.ts';
import type { ProgramEngine } from '../../programs/program-engine.ts';
import { ActivityReader } from '../../storage/profile/activity-reader.ts';
import { printableLine } from '../text/printable.ts';
import { writeReference } from '../output/write-command.ts';
import { writeWhere } from '../output/write-where.ts';
import { readVersion } from '../output/version.ts';
import { checkGateway, checkHttp } from './check-gateway.ts';
import type { ProgramCheck } from './program-check.ts';

/**
 * Whether programs can use servers through Postern. Looks into those files of programs alone that were written to from
 * here. Errors: CFG_*.
 */
export async function checkPrograms(
  engine: ProgramEngine,
  { integrations, collections }: Lists,
  settings: Settings,
): Promise<readonly ProgramCheck[]> {
  const servers = usedServers(integrations, collections);
  const files = await checkEntries(engine, servers);
  const records = await settleWaiting(engine, servers, files);
  const found = [...files.flatMap(checkFile), ...records.flatMap((record) => checkWaiting(record, servers))];
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
    ...checkCollections({ integrations, collections }),
    await checkActivity(engine.profileFolder, settings),
  ];
}

/** Lines that the user has yet to paste. Only its first call tells of a program without a known file. */
function checkWaiting(
  { program, name, waiting = [], revokedAt }: ProgramRecord,
  servers: readonly UsedServer[],
): readonly ProgramCheck[] {
  if (revokedAt !== undefined) return [];
  const who = printableLine(name, 80);
  return servers
    .filter(({ id }) => waiting.includes(id))
    .map(({ id, alias = id, name: server }): ProgramCheck => {
      const what = printableLine(server, 80);
      return isOtherProgram(program)
        ? { name: 'programs', ok: true, message: `${who} has not used ${what} yet.`, program }
        : {
            name: 'programs',
            ok: false,
            message: `${who} is waiting for you: the lines of ${what} are not in its configuration.`,
            nextStep: `postern use ${writeReference(alias)} ${program}`,
            program,
          };
    });
}

interface Lists {
  readonly integrations: readonly Integration[];
  readonly collections: readonly Collection[];
}

/** Nothing to say where each has a server. */
function checkCollections({ integrations, collections }: Lists): readonly ProgramCheck[] {
  const isEmpty = ({ members }: Collection): boolean => !integrations.some(({ id }) => members.includes(id));
  return collections.filter(isEmpty).map((collection) => ({
    name: 'collections',
    ok: false,
    message: `The collection “${printableLine(titleOf(collection), 80)}” has no servers: a program gets nothing by ${collectionReference(collection)}.`,
    nextStep: `postern collection ${collection.name} ID`,
  }));
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
    const words = `${writeReference(entry.server)} ${program.id}${where}`;
    const fault = describeFault(entry, program.name, words);
    if (!fault) return [];
    const [message, nextStep] = fault;
    const quoted = `The entry “${printableLine(entry.name, 80)}” of ${program.name} ${message}`;
    return [{ name, ok: false, message: quoted, nextStep, program: program.id, entry: entry.name, path: file.path }];
  });
}

/** What is wrong with it, and one step that helps. `words`: of a command about it. */
function describeFault(
  { server, command, isOfThisVersion, fault, setting = '' }: CheckedEntry,
  program: string,
  words: string,
): readonly [string, string] | undefined {
  switch (fault) {
    case 'server-gone':
      return [
        collectionNamed(server) === undefined
          ? 'leads to a server that is not connected any more.'
          : `leads to the collection ${printableLine(server, 40)}, which is not there any more.`,
        `postern unuse ${words}`,
      ];
    case 'revoked':
      return [`leads nowhere: ${program} may use nothing of Postern any more.`, `postern unuse ${words}`];
    case 'not-allowed':
      return [`leads nowhere: ${program} may not use that server.`, `postern use ${words}`];
    case 'old-port':
      return ['holds a port that Postern does not have any more.', `postern use ${words} --http`];
    case 'old-secret':
      return [`holds a secret that ${program} does not have any more.`, `postern use ${words} --http`];
    case 'kept-out':
      return [
        `is not used: a setting of ${program} keeps it out, ${printableLine(setting, 200)}.`,
        `Change that setting in ${program}.`,
      ];
    case undefined:
      if (command === undefined || isOfThisVersion) return undefined;
      return existsSync(command)
        ? [`starts another Postern than this one: ${printableLine(command, 200)}.`, `postern use ${words}`]
        : [`starts ${printableLine(command, 200)}, which is not there any more.`, `postern use ${words}`];
  }
}
