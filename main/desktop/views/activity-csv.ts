import type { ActivityCall } from '../../../shared/activity.ts';

/** A call with what its program and server are called now. */
export interface NamedCall extends ActivityCall {
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
