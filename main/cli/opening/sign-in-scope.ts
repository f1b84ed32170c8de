import type { Integration } from '../../../shared/integration.ts';
import type { TraceEntry, TraceField, TracePurpose, TraceVerdict } from '../../../shared/trace.ts';
import type { EnginePorts } from '../../engine/engine-ports.ts';
import type { ProblemHistory } from '../../engine/records/server-failure.ts';
import { errorOf } from '../../engine/sign-in/flow-state.ts';
import type { FlowState } from '../../engine/sign-in/flow-state.ts';
import type { SignInInteraction } from '../../engine/sign-in/sign-in-interaction.ts';
import { Trace, traceHttp, traceInteraction } from '../../engine/trace/trace.ts';
import type { Profile } from '../../host/open-profile.ts';
import { systemClock } from '../../host/system-ports.ts';
import type { SignInScope } from '../../operations/connect.ts';
import type { User } from '../../operations/operation.ts';
import { createInteraction } from '../interaction/cli-interaction.ts';
import { terminalUser } from '../interaction/terminal-user.ts';
import type { CommandContext, CommandEngine } from '../command-context.ts';
import type { SignInMode } from '../options/option-specs.ts';
import { hasOption } from '../options/parse-arguments.ts';
import { describeRemedy } from '../output/describe-error.ts';
import { printableLine } from '../text.ts';

/**
 * The sign-in of a command. `--trace` shows each request when it is done, also on failure, with the point where it
 * stopped. With `history`, the requests are stored with the server, as for the window. After a failure they are stored
 * only if the server was in the list before.
 */
export function signInScope(
  context: CommandContext,
  { ports, history }: Pick<CommandEngine, 'ports'> & Partial<Pick<CommandEngine, 'history'>>,
  mode: SignInMode,
): Required<SignInScope> {
  const { args, canAsk, signal } = context;
  const signIn = createInteraction(context, mode);
  const userWith = (interaction: SignInInteraction) => ({ ...terminalUser(context), signIn: interaction });
  const isTraced = hasOption(args, 'trace');
  return {
    ports,
    user: userWith(signIn),
    signal,
    async traceSignIn(server, work) {
      if (!isTraced && !history) return await work({ ports, user: userWith(signIn) });
      const trace = isTraced ? openVisibleTrace(context) : new Trace(systemClock);
      const user = userWith(traceInteraction(signIn, trace, { canAsk }));
      const { runTracedSignIn } = await import('../../operations/connect.ts');
      return await runTracedSignIn({ ports, user }, { trace, history }, server, work);
    },
  };
}

function openVisibleTrace(context: CommandContext): Trace {
  const { output, steps } = context;
  const trace = new Trace(systemClock, ({ remedy, isNeedless, ...entry }) => {
    steps.clear();
    const nextStep = remedy && output.advise(describeRemedy(remedy, context.adviceContext()));
    output.event('request', { ...entry, ...(nextStep !== undefined && { nextStep }) });
    for (const line of describeTraceEntry({ ...entry, isNeedless }, nextStep)) output.notify(line);
  });
  // Also after a second Ctrl-C, when the work has not ended yet.
  context.beforeResult(() => trace.conclude());
  return trace;
}

const purposes: Readonly<Record<TracePurpose, string>> = {
  probe: 'probe',
  'protected-resource-metadata': 'protected resource metadata',
  'authorization-server-metadata': 'authorization server metadata',
  registration: 'client registration',
  'device-authorization': 'device authorization',
  'pushed-request': 'pushed authorization request (PAR)',
  authorization: 'sign-in page in the browser',
  token: 'token request',
  refresh: 'token refresh',
  revocation: 'token revocation',
  'registration-update': 'registration update',
  'registration-deletion': 'registration deletion',
  registry: 'MCP registry search',
  icon: 'server icon',
  mcp: 'MCP',
};

const verdicts: Readonly<Record<TraceVerdict, string>> = {
  used: 'used',
  skipped: 'skipped',
  stopped: 'stopped here',
};

const indent = '      ';

/** One request over several lines: sent after `>`, received after `<`, and the next step if it stopped there. */
export function describeTraceEntry(entry: TraceEntry, nextStep?: string): string[] {
  const { number, purpose, method, url, status, milliseconds, request, response, certificate } = entry;
  const duration = milliseconds === undefined ? 'no response' : `${milliseconds} ms`;
  const outcome = [status, duration].filter((part) => part !== undefined).join(' · ');
  const clause = entry.clause === '' ? '' : ` (${entry.clause})`;
  return [
    `${String(number).padStart(3)}   ${purposes[purpose]} · ${outcome}`,
    `${indent}${method} ${printableLine(url, 1_000)}`,
    ...describeFields('>', [...request.headers, ...request.body]),
    ...(response ? describeFields('<', [...response.headers, ...response.body]) : []),
    ...(certificate ? [`${indent}! certificate:`, ...describeFields('!', certificate)] : []),
    `${indent}= ${printableLine(entry.rule, 200)}${clause}: ${describeVerdict(entry)}`,
    ...(entry.unusableMembers
      ? [`${indent}  Not usable: ${printableLine(entry.unusableMembers.join(', '), 1_000)}`]
      : []),
    ...(nextStep === undefined ? [] : [`${indent}  ${printableLine(nextStep, 400)}`]),
  ];
}

/** Both MCP protocol revisions are probed at once; the response to one makes the other unnecessary. */
function describeVerdict({ verdict, code, fault, isNeedless }: TraceEntry): string {
  if (isNeedless) return 'no longer needed';
  return `${verdicts[verdict]}${code ? ` (${[code, fault].filter(Boolean).join(', ')})` : ''}`;
}

/** Hidden fields are listed by name on one line. Secrets keep a line of their own. */
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

interface SignInParts {
  readonly ports: EnginePorts;
  readonly signIn: SignInInteraction;
}

/**
 * Ports, user and history for a command that signs in only if the server asks for it. Whether it did, and how that
 * ended, is recorded at the end. MCP requests after the sign-in are not part of the record.
 */
export function recordSignInAtEnd(
  context: CommandContext,
  history: Profile['history'],
  problems: ProblemHistory,
  { id }: Integration,
  { ports, signIn }: SignInParts,
): { readonly ports: EnginePorts; readonly user: User; readonly problems: ProblemHistory } {
  const at = systemClock.now();
  const trace = new Trace(systemClock);
  const traced = traceInteraction(signIn, trace, { canAsk: context.canAsk });
  let state: FlowState | undefined;
  context.onEnd(async () => {
    if (!state) return;
    const { recordSignIn } = await import('../../operations/connect.ts');
    const failure = errorOf(state);
    if (failure !== undefined) trace.conclude(failure);
    const entries = trace.entries();
    const last = entries.findLastIndex(({ purpose }) => purpose !== 'mcp');
    const stores = { history: await history(), clock: systemClock };
    await recordSignIn(stores, id, { at, entries: entries.slice(0, last + 1) }, failure);
  });
  return {
    // A failed sign-in is recorded at the end, with its trace.
    problems: {
      ...problems,
      record: async (server, events) => {
        if (!state || errorOf(state) === undefined) await problems.record(server, events);
      },
    },
    ports: { ...ports, http: traceHttp(ports.http, trace) },
    user: terminalUser(context, {
      signIn: {
        ...traced,
        onEvent(event) {
          if (event.event === 'state') state = event.state;
          traced.onEvent(event);
        },
      },
    }),
  };
}
