import type { Integration } from '../../../shared/integration.ts';
import type { TraceEntry, TraceField, TracePurpose, TraceVerdict } from '../../../shared/trace.ts';
import type { EnginePorts } from '../../engine/engine-ports.ts';
import type { ProblemHistory } from '../../engine/kept/kept-failure.ts';
import { errorOf } from '../../engine/sign-in/flow-state.ts';
import type { FlowState } from '../../engine/sign-in/flow-state.ts';
import type { SignInInteraction } from '../../engine/sign-in/sign-in-interaction.ts';
import { Trace, traceHttp, traceInteraction } from '../../engine/trace/trace.ts';
import type { Profile } from '../../host/open-profile.ts';
import { systemClock } from '../../host/system-ports.ts';
import type { SignInScope } from '../../operations/connect.ts';
import type { User } from '../../operations/operation.ts';
import { createInteraction } from '../asking/cli-interaction.ts';
import { terminalUser } from '../asking/terminal-user.ts';
import type { CommandContext, CommandEngine } from '../command-context.ts';
import type { SignInWay } from '../options/option-specs.ts';
import { hasOption } from '../options/parse-arguments.ts';
import { describeRemedy } from '../output/describe-error.ts';
import { printableLine } from '../text.ts';

/**
 * The sign-in of a command. Its requests are shown with `--trace`, each as it is done with, in failure too, where it says
 * where the work stopped. Unless `history` is left out, they are stored with the server, as those of the window are; of
 * one that failed only where the server was in the list before.
 */
export function signInScope(
  context: CommandContext,
  { ports, history }: Pick<CommandEngine, 'ports'> & Partial<Pick<CommandEngine, 'history'>>,
  way: SignInWay,
): Required<SignInScope> {
  const { args, canAsk, signal } = context;
  const signIn = createInteraction(context, way);
  const userWith = (side: SignInInteraction) => ({ ...terminalUser(context), signIn: side });
  const isShown = hasOption(args, 'trace');
  return {
    ports,
    user: userWith(signIn),
    signal,
    async noted(server, work) {
      if (!isShown && !history) return await work({ ports, user: userWith(signIn) });
      const trace = isShown ? openShownTrace(context) : new Trace(systemClock);
      const user = userWith(traceInteraction(signIn, trace, { canAsk }));
      const { runNoted } = await import('../../operations/connect.ts');
      return await runNoted({ ports, user }, { trace, history }, server, work);
    },
  };
}

function openShownTrace(context: CommandContext): Trace {
  const { output, steps } = context;
  const trace = new Trace(systemClock, ({ remedy, isNeedless, ...entry }) => {
    steps.clear();
    const nextStep = remedy && output.advise(describeRemedy(remedy, context.situation()));
    output.event('request', { ...entry, ...(nextStep !== undefined && { nextStep }) });
    for (const line of describeTraceEntry({ ...entry, isNeedless }, nextStep)) output.tell(line);
  });
  // An impatient person ends the program before the work has ended.
  context.onAnswer(() => trace.conclude());
  return trace;
}

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
    ...(entry.passedOver ? [`${indent}  Not usable in it: ${printableLine(entry.passedOver.join(', '), 1_000)}`] : []),
    ...(nextStep === undefined ? [] : [`${indent}  ${printableLine(nextStep, 400)}`]),
  ];
}

/** Both wires of MCP are asked at once; the answer of one makes the other needless. */
function describeVerdict({ verdict, code, fault, isNeedless }: TraceEntry): string {
  if (isNeedless) return 'not needed any more';
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

interface SigningIn {
  readonly ports: EnginePorts;
  readonly signIn: SignInInteraction;
}

/**
 * Ports, user and history of a command that signs in only where its server wants that: whether it did, and how that ended, is
 * known at the end. What it did with the server afterwards is no part of the sign-in.
 */
export function noteSignInAtEnd(
  context: CommandContext,
  history: Profile['history'],
  problems: ProblemHistory,
  { id }: Integration,
  { ports, signIn }: SigningIn,
): { readonly ports: EnginePorts; readonly user: User; readonly problems: ProblemHistory } {
  const at = systemClock.now();
  const trace = new Trace(systemClock);
  const traced = traceInteraction(signIn, trace, { canAsk: context.canAsk });
  let state: FlowState | undefined;
  context.onEnd(async () => {
    if (!state) return;
    const { noteSignIn } = await import('../../operations/connect.ts');
    const failure = errorOf(state);
    if (failure !== undefined) trace.conclude(failure);
    const entries = trace.entries();
    const last = entries.findLastIndex(({ purpose }) => purpose !== 'mcp');
    const stores = { history: await history(), clock: systemClock };
    await noteSignIn(stores, id, { at, entries: entries.slice(0, last + 1) }, failure);
  });
  return {
    // That a sign-in failed is noted at the end, with its trace.
    problems: {
      ...problems,
      note: async (server, events) => {
        if (!state || errorOf(state) === undefined) await problems.note(server, events);
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
