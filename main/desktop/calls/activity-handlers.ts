import type { ActivityCall } from '../../../shared/activity.ts';
import { describeError } from '../../../shared/error-catalogue.ts';
import { isErrorCode } from '../../../shared/error-codes.ts';
import type { IpcHandlers } from '../../../shared/ipc-contract.ts';
import { programName as nameOfProgram } from '../../apps/records/other-program.ts';
import { windowWords } from '../../window-words.ts';
import type { DesktopContext } from '../../window/desktop-context.ts';

/** Which program called what, by whichever process that was noted. */
export function activityHandlers({
  activity,
  programs,
  ports,
  shell,
}: DesktopContext): Pick<IpcHandlers, 'activity:read' | 'activity:export'> {
  return {
    'activity:read': async ({ after }) => {
      const { first, last, calls } = await activity.read(after);
      const records = await programs.records.list();
      return {
        first,
        last,
        calls: calls.map((call) => {
          const name = call.program === undefined ? undefined : nameOfProgram(call.program, records);
          const code = call.outcome;
          const failure = isErrorCode(code) && { code, sentence: describeError(code, {}).message };
          return { ...call, ...(name !== undefined && { programName: name }), ...(failure && { failure }) };
        }),
      };
    },
    'activity:export': async ({ calls: wanted }) => {
      const { last, calls } = await activity.read(0);
      const records = await programs.records.list();
      const list = await ports.store.list();
      const oldest = last - calls.length + 1;
      const named = wanted.flatMap((number) => {
        const call = calls[number - oldest];
        // What was deleted meanwhile is gone.
        if (!call) return [];
        const { program, integration, server } = call;
        const name = program === undefined ? undefined : (nameOfProgram(program, records) ?? program);
        const serverName = list.find(({ id }) => id === integration)?.name ?? server;
        return [{ ...call, programName: name ?? '', serverName }];
      });
      return { saved: await shell.saveFile(windowWords.exportedActivity, activityCsv(named)) };
    },
  };
}

/** A call with what its program and server are called now. */
interface NamedCall extends ActivityCall {
  readonly programName: string;
  readonly serverName: string;
}

const columns = ['time', 'program', 'server', 'method', 'tool', 'outcome', 'ms', 'bytes in', 'bytes out', 'mcp'];

/** Calls as a table (RFC 4180), in the order given. */
export function activityCsv(calls: readonly NamedCall[]): string {
  const rows = calls.map(({ at, programName, serverName, method, tool = '', outcome, ms, bytesIn, bytesOut, era }) => [
    new Date(at).toISOString(),
    ...[programName, serverName, method, tool, outcome].map(asText),
    ...[ms, bytesIn, bytesOut].map(String),
    era,
  ]);
  return [columns, ...rows].map((row) => `${row.map(asField).join(',')}\r\n`).join('');
}

/**
 * A server names its tools: none of it is to be a formula where the table is opened. Many a spreadsheet goes by the
 * language of the computer, and takes a semicolon for the end of a cell, quoted or not.
 */
function asText(text: string): string {
  if (/^-?\d+$/u.test(text)) return text;
  return text.replaceAll(/(?<=^|[;\t\r\n])(?=\s*[=+\-@\t\r＝＋－＠])/gu, "'");
}

function asField(text: string): string {
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
