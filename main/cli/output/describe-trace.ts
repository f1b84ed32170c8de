import type { TraceEntry, TraceField, TracePurpose, TraceVerdict } from '../../../shared/trace.ts';
import { printableLine } from '../text/printable.ts';

const purposes: Readonly<Record<TracePurpose, string>> = {
  probe: 'probe',
  'protected-resource-metadata': 'where to sign in (PRM)',
  'authorization-server-metadata': 'how to sign in (ASM)',
  registration: 'registration',
  'device-authorization': 'code for a sign-in on another device',
  'pushed-request': 'sign-in request, handed over first (PAR)',
  authorization: 'sign-in page, in the browser',
  token: 'code for tokens',
  refresh: 'refresh',
  revocation: 'revocation',
  'registration-update': 'update of the registration',
  'registration-deletion': 'registration deletion',
  registry: 'search of the MCP registry',
  icon: 'picture of the server',
  mcp: 'MCP',
};

const verdicts: Readonly<Record<TraceVerdict, string>> = {
  used: 'used',
  'passed-over': 'passed over',
  stopped: 'stopped here',
};

const indent = '      ';

/**
 * One request for a person, over several lines: what went out after `>`, what came back after `<`, and what to do
 * where the work stopped there.
 */
export function describeTraceEntry(entry: TraceEntry, nextStep?: string): string[] {
  const { number, purpose, method, url, status, milliseconds, request, response, certificate } = entry;
  const took = milliseconds === undefined ? 'no answer' : `${milliseconds} ms`;
  const answer = [status, took].filter((part) => part !== undefined).join(' · ');
  const clause = entry.clause === '' ? '' : ` (${entry.clause})`;
  return [
    `${String(number).padStart(3)}   ${purposes[purpose]} · ${answer}`,
    `${indent}${method} ${printableLine(url, 1_000)}`,
    ...describeFields('>', [...request.headers, ...request.body]),
    ...(response ? describeFields('<', [...response.headers, ...response.body]) : []),
    ...(certificate ? [`${indent}! the certificate:`, ...describeFields('!', certificate)] : []),
    `${indent}= ${printableLine(entry.rule, 200)}${clause}: ${describeVerdict(entry)}`,
    ...(nextStep === undefined ? [] : [`${indent}  ${printableLine(nextStep, 400)}`]),
  ];
}

/** Both wires of MCP are asked at once; the answer of one makes the other needless. */
function describeVerdict({ verdict, code, fault }: TraceEntry): string {
  if (verdict === 'passed-over' && code === 'USER_CANCELLED') return 'not needed any more';
  return `${verdicts[verdict]}${code ? ` (${[code, fault].filter(Boolean).join(', ')})` : ''}`;
}

/** What is not shown is told by name alone, in one line; the names of secrets keep a line of their own. */
function describeFields(sign: string, fields: readonly TraceField[]): string[] {
  const shown = fields.filter(({ value }) => !isHidden(value));
  const hidden = fields.filter(({ value }) => isHidden(value)).map(({ name }) => printableLine(name, 60));
  const width = Math.max(0, ...shown.map(({ name }) => printableLine(name, 60).length));
  return [
    ...shown.map(({ name, value }) =>
      `${indent}${sign} ${printableLine(name, 60).padEnd(width)}  ${printableLine(value, 300)}`.trimEnd(),
    ),
    ...(hidden.length > 0 ? [`${indent}${sign} (not shown: ${hidden.join(', ')})`] : []),
  ];
}

function isHidden(value: string): boolean {
  return /^\[(?!secret)[^\]]*\]$/u.test(value);
}
