import { createHash } from 'node:crypto';
import { isOtherProgram, otherPrefix } from '../../../shared/program-record.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import type { ProgramsHere } from '../program-engine.ts';
import { commandAndArgs, urlAndHeaders } from '../table/program.ts';
import type { Program } from '../table/program.ts';
import { findProgram, programs } from '../table/table.ts';

/** Of an id, beside its beginning. */
const longestName = 30;

/**
 * A program that is not in the table, under the name that a person gives it: where it keeps its servers only they know,
 * so they paste its entries, in the way that most programs write them. One name is one program.
 */
export function otherProgram(name: string, id = idOf(name)): Program {
  return {
    id,
    name,
    files: { darwin: [], win32: [], linux: [] },
    format: 'json',
    list: 'mcpServers',
    trailingCommas: false,
    stdio: commandAndArgs,
    http: { type: 'http', ...urlAndHeaders },
    nameRule: 'any',
    whenAbsent: 'paste',
    notice: 'restart',
    provenBy: 'what the person says',
  };
}

/** Those that may use Postern, in the order in which they came. */
function otherPrograms(records: readonly ProgramRecord[]): readonly Program[] {
  const own = records.filter(({ program, revokedAt }) => isOtherProgram(program) && revokedAt === undefined);
  return [...new Map(own.map((record) => [record.program, otherProgram(record.name, record.program)])).values()];
}

/** All of the table, and those. Errors: CFG_*. */
export async function knownPrograms({
  records,
}: {
  readonly records: Pick<ProgramsHere['records'], 'list'>;
}): Promise<readonly Program[]> {
  return [...programs, ...otherPrograms(await records.list())];
}

/** As `findProgram`, of those too that people have added. */
export function findKnown(word: string, records: readonly ProgramRecord[]): Program | undefined {
  const other = otherProgram(word);
  return findProgram(word) ?? otherPrograms(records).find(({ id }) => [word.toLowerCase(), other.id].includes(id));
}

/** What a program is called that has this id. */
export function programName(id: string, records: readonly ProgramRecord[]): string | undefined {
  return findProgram(id)?.name ?? records.find(({ program }) => program === id)?.name;
}

/** Letters that an id cannot have are told apart by a hash. */
function idOf(name: string): string {
  const bare = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-|-$/gu, '');
  const hash = createHash('sha256').update(name.normalize('NFC').toLowerCase()).digest('hex').slice(0, 8);
  const isWhole = bare !== '' && bare.length <= longestName && /^[\x20-\x7e]+$/u.test(name);
  return `${otherPrefix}${isWhole ? bare : [bare.slice(0, 20).replace(/-$/u, ''), hash].filter(Boolean).join('-')}`;
}
