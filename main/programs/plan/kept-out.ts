import { parseJsonTree, valueOf } from '../list/json/json-tree.ts';
import { ListFault } from '../list/list-fault.ts';
import { ProgramFileFault } from '../../program-ports.ts';
import type { ProgramFile } from '../../program-ports.ts';
import type { FileContent } from '../list/entry-list.ts';
import type { ProgramEngine } from '../program-engine.ts';
import type { Program } from '../table/program.ts';
import { folderOf } from '../table/surroundings.ts';

type Gate = NonNullable<Program['gates']>[number];

/**
 * The setting of an app by which it leaves out one of its entries, such as `mcp.allowed` of Gemini CLI; `undefined`:
 * none of those that are known does. What cannot be read leaves nothing out.
 */
export async function findKeptOut(
  engine: Pick<ProgramEngine, 'files'>,
  { gates = [] }: Program,
  file: ProgramFile,
  content: FileContent,
  names: readonly string[],
): Promise<string | undefined> {
  for (const gate of gates) {
    const root = gate.file === undefined ? rootOf(content) : await readBeside(engine, file, gate.file);
    if (names.some((name) => membersAt(root, gate.member.split('.')).some((value) => isOut(gate, value, name))))
      return gate.file === undefined ? gate.member : `${gate.member} (${gate.file})`;
  }
  return undefined;
}

function isOut({ keepsOut }: Gate, value: unknown, name: string): boolean {
  switch (keepsOut) {
    case 'others':
      return Array.isArray(value) && !value.some((each) => isNamed(each, name));
    case 'named':
      return Array.isArray(value) && value.some((each) => isNamed(each, name));
    case 'tools':
      return Object.entries(tableOf(value)).some(
        ([pattern, on]) => on === false && [`${name}*`, `${name}_*`, '*'].includes(pattern),
      );
    case 'all':
      return value === false || value === 'none';
  }
}

/** A name, or `{ "serverName": … }` of Claude Code. */
function isNamed(value: unknown, name: string): boolean {
  return value === name || tableOf(value)['serverName'] === name;
}

/** Some apps write `a.b` as one name, and some as `b` in `a`. */
function membersAt(root: unknown, [first, ...rest]: readonly string[]): readonly unknown[] {
  if (first === undefined) return [root];
  const table = tableOf(root);
  const whole = rest.length > 0 ? table[[first, ...rest].join('.')] : undefined;
  return [
    ...(table[first] === undefined ? [] : membersAt(table[first], rest)),
    ...(whole === undefined ? [] : [whole]),
  ];
}

function rootOf({ rest }: FileContent): unknown {
  return Array.isArray(rest) ? Object.fromEntries(rest as readonly (readonly [string, unknown])[]) : rest;
}

async function readBeside({ files }: Pick<ProgramEngine, 'files'>, file: ProgramFile, name: string): Promise<unknown> {
  const separator = file.path.includes('\\') ? '\\' : '/';
  const path = `${folderOf(file.path)}${separator}${name.replaceAll('/', separator)}`;
  try {
    const text = await files.read({ ...file, path });
    const tree = text === undefined ? undefined : parseJsonTree(text, { comments: true, trailingCommas: true });
    return tree && valueOf(tree);
  } catch (error) {
    if (error instanceof ListFault || error instanceof ProgramFileFault) return undefined;
    throw error;
  }
}

function tableOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
