import { relative } from 'node:path';
import { findApp } from '../../main/apps/table/apps.ts';
import type { StandInModel } from './model/stand-in-model.ts';
import type { ListCommand, RealApp } from './real-app.ts';
import type { RefusingProxy } from './refusing-proxy.ts';
import { type CommandRun, runCommand } from './run-command.ts';
import { openWorld, type World } from './world.ts';

/** One line of the report. `fault`: what was seen instead. */
export interface Trial {
  readonly name: string;
  readonly seconds: number;
  readonly fault?: string;
  readonly skipped?: string;
  /** Everything the app printed. */
  readonly output: string;
}

/** The result of one attempt. */
type Outcome = Omit<Trial, 'name' | 'seconds'>;

/** Everything outside of one app. */
export interface Surroundings {
  /** The folder with its commands. */
  readonly commands: string;
  readonly model: StandInModel;
  readonly proxy: RefusingProxy;
  readonly report: (trial: Trial) => void;
}

type Way = 'pipe' | 'http';

const states = ['signed in', 'asked', 'unanswered', 'denied', 'allowed', 'signed out', 'offline'] as const;
type State = (typeof states)[number];

/** The outcome for the tool in these states. */
const rules: Readonly<Partial<Record<State, string>>> = {
  asked: 'ask',
  denied: 'deny',
  allowed: 'allow',
};

/** What the tool responds instead of the server. */
const refusals: Readonly<Record<State, string | undefined>> = {
  'signed in': undefined,
  // `postern serve` has no window to ask in.
  asked: 'APPROVAL_IMPOSSIBLE',
  // A window has asked, for 45 seconds.
  unanswered: 'APPROVAL_TIMEOUT',
  denied: 'TOOL_DENIED',
  allowed: undefined,
  'signed out': 'SIGN_IN_REQUIRED',
  offline: 'SERVER_OFFLINE',
};

/** Uses Notes from the app over every transport that it supports, in every state, and removes the entry again. */
export async function tryApp(app: RealApp, surroundings: Surroundings): Promise<void> {
  const { commands, model, proxy } = surroundings;
  const own = app.environment(model.origin);
  const world = await openWorld(own, commands);
  app.prepare(world.home, model.origin);
  const known = findApp(app.id);
  const ways: readonly Way[] = known?.http ? ['pipe', 'http'] : ['pipe'];

  async function run(words: readonly string[]): Promise<CommandRun> {
    model.forget();
    proxy.forget();
    const env = { ...world.environment, ...proxy.environment, ...own };
    return await runCommand(
      words.map((word) => word.replace('{home}', world.home.home)),
      { cwd: world.folder, env },
    );
  }

  async function attempt(name: string, work: () => Promise<Outcome>): Promise<void> {
    const start = performance.now();
    const seconds = (): number => (performance.now() - start) / 1000;
    try {
      const trial = await work();
      surroundings.report({ name, seconds: seconds(), ...trial });
    } catch (error) {
      surroundings.report({ name, seconds: seconds(), fault: String(error), output: '' });
    }
  }

  /** Hosts requested beside the model and Postern. */
  function strangers(): readonly string[] {
    const allowed = app.knownRequests ?? [];
    return [...new Set([...proxy.hosts, ...model.strange])].filter(
      (one) => !allowed.some((pattern) => pattern.test(one)),
    );
  }

  function judge({ code, output }: CommandRun, fault: string | undefined, wantedCode = 0): Outcome {
    const others = strangers();
    const faults = [
      ...(fault === undefined ? [] : [fault]),
      ...(code === wantedCode ? [] : [code === null ? 'it did not end' : `exit code ${code}`]),
      ...(others.length === 0 ? [] : [`it asked for ${others.join(', ')}`]),
    ];
    return faults.length === 0 ? { output } : { output, fault: faults.join('; ') };
  }

  async function use(way: Way): Promise<void> {
    await world.postern('use', 'Notes', app.id, '--yes', ...(way === 'http' ? ['--http'] : []));
  }

  async function ask(state: State): Promise<Outcome> {
    const { ask: how } = app;
    const direct = await world.askDirectly();
    if (direct.code !== refusals[state]) throw new Error(`the official client got ${direct.code ?? 'no refusal'}`);
    const done = await run(how.words);
    if (state === 'denied' && how.seenBy === 'model') return judge(done, useOfDenied(direct.text));
    const seen = how.seenBy === 'output' ? [done.output] : model.questions.flatMap(({ results }) => results);
    // Some show the model the result as JSON.
    const code = direct.code === undefined ? 0 : how.codeOfRefusal;
    const expectedTexts = [direct.text, JSON.stringify(direct.text).slice(1, -1)];
    if (seen.some((text) => expectedTexts.some((each) => text.includes(each)))) return judge(done, undefined, code);
    const tools = [...new Set(model.questions.flatMap((question) => question.tools))];
    const seenInstead =
      seen.at(-1) ?? (model.questions.length === 0 ? 'nothing at all' : `no call, tools: ${tools.join(' ')}`);
    return judge(done, `${how.seenBy} got: ${seenInstead.slice(0, 300)}`, code);
  }

  /** What is wrong with how a denied tool was exposed or used. */
  function useOfDenied(refusal: string): string | undefined {
    if (!isOffered()) return undefined;
    if (!app.offersFromBefore) return 'it is offered a denied tool';
    // It drops what it knew from an earlier list once the new list is there; a call meanwhile is rejected.
    const { results = [], tools = [] } = model.questions.at(-1) ?? {};
    if (!tools.some((name) => name.endsWith('whoami'))) return undefined;
    return results.some((text) => text.includes(refusal))
      ? undefined
      : `it still exposes a denied tool, and the model got: ${results.join(' | ').slice(0, 300)}`;
  }

  /** True if the tool was exposed to the model. */
  function isOffered(): boolean {
    return model.questions.some(({ tools }) => tools.some((name) => name.endsWith('whoami')));
  }

  async function list({ words, read, reached = read }: ListCommand): Promise<Outcome> {
    const done = await run(words);
    return judge(done, reached.test(done.output) ? undefined : 'its list has no Notes');
  }

  /** Its file is as it was, and it reads it that way. */
  async function isGone(): Promise<Outcome> {
    const after = await readOwnFile(world, app.id);
    const file = after === before ? undefined : `its file is not as it was, but ${JSON.stringify(after)}`;
    if (app.list) {
      const { words, read, codeWhenGone } = app.list;
      const done = await run(words);
      return judge(done, read.test(done.output) ? 'its list still has Notes' : file, codeWhenGone);
    }
    const done = await run(app.ask.words);
    return judge(done, isOffered() || model.questions.length === 0 ? 'it still has the tools of Notes' : file);
  }

  // Gemini and Qwen migrate their own settings when they first read them.
  if (app.list) await run(app.list.words);
  const before = await readOwnFile(world, app.id);
  for (const state of states) {
    if (state === 'unanswered') {
      if (!app.waitsForAnswers) continue;
      await use('pipe');
      await world.whileNobodyAnswers(() => attempt(`pipe, ${state}`, () => ask(state)));
      continue;
    }
    const rule = rules[state];
    if (rule !== undefined) await world.postern('permit', 'Notes', 'whoami', rule);
    if (state === 'signed out') await world.signOut();
    if (state === 'offline') {
      await world.signIn();
      await world.askDirectly();
      await world.takeServerAway();
    }
    for (const way of ways) {
      const name = `${way}, ${state}`;
      const skipped = way === 'http' ? app.httpNeeds?.() : undefined;
      if (skipped !== undefined) {
        await attempt(name, () => Promise.resolve({ skipped, output: '' }));
        continue;
      }
      await use(way);
      await attempt(name, () => ask(state));
      const { list: command } = app;
      const listed = command?.reached ? 'says connected' : 'lists it';
      if (command) await attempt(`${name}, ${listed}`, () => list(command));
    }
  }
  await attempt('unuse', async () => {
    await world.postern('unuse', 'Notes', app.id, '--yes');
    return await isGone();
  });
  await attempt('undo', async () => {
    const { last } = await world.postern('use', 'Notes', app.id, '--yes');
    const [change] = last['changes'] as readonly { id: string }[];
    await world.postern('undo', change?.id ?? '', '--yes');
    return await isGone();
  });
}

/** The file that Postern writes, if it exists; for Claude Code, whose sessions write it too, only its servers. */
async function readOwnFile(world: World, id: string): Promise<string | undefined> {
  const { last } = await world.postern('apps', id);
  const [{ files: [file] } = { files: [] }] = last['apps'] as readonly { files: readonly { path: string }[] }[];
  const text = file && world.home.text(relative(world.home.home, file.path));
  if (id !== 'claude-code' || text === undefined) return text;
  return JSON.stringify((JSON.parse(text) as { mcpServers?: object }).mcpServers ?? {});
}
