import type { ActivityView } from '../../../shared/activity.ts';
import type { IpcHandlers } from '../../../shared/ipc-contract.ts';
import { readActivity } from '../../operations/apps.ts';
import { windowWords } from '../../window-words.ts';
import type { DesktopContext } from '../desktop-context.ts';

/** The calls that a window shows, saved as a table. */
export function activityHandlers(context: DesktopContext): Pick<IpcHandlers, 'activity:export'> {
  return {
    'activity:export': async ({ calls: wanted }) => {
      const { first, calls } = await readActivity(context, { after: 0 });
      // What was deleted meanwhile is gone.
      const shown = wanted.flatMap((number) => calls[number - first] ?? []);
      return { saved: await context.shell.saveFile(windowWords.exportedActivity, activityCsv(shown)) };
    },
  };
}

/** Calls as a table (RFC 4180), in the order given. */
export function activityCsv(calls: readonly ActivityView[]): string {
  const rows = calls.map(
    ({
      at,
      program = '',
      programName = program,
      serverName,
      method,
      tool = '',
      outcome,
      ms,
      bytesIn,
      bytesOut,
      era,
    }) => [
      new Date(at).toISOString(),
      ...[programName, serverName, method, tool, outcome].map(asText),
      ...[ms, bytesIn, bytesOut].map(String),
      era,
    ],
  );
  const { time, program, server, method, tool, outcome, took, asked, answered, wire } = windowWords.activityColumns;
  const head = [time, program, server, method, tool, outcome, `${took} (ms)`, `${asked} (B)`, `${answered} (B)`, wire];
  return [head, ...rows].map((row) => `${row.map(asField).join(',')}\r\n`).join('');
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
