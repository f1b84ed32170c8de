import type { IpcHandlers } from '../../../shared/ipc-contract.ts';
import { localPlace } from '../../address/check-address.ts';
import { withoutStyles } from '../../address/display-text.ts';
import { remoteOf } from '../../apps/import/list-server.ts';
import { freeName } from '../../engine/connect/new-integration.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { answerLocal } from '../../local-ports.ts';
import type { LocalAsk, LocalReport } from '../../local-ports.ts';
import { connectCommand, prepareCommand } from '../../operations/local.ts';
import type { PreparedCommand } from '../../operations/local.ts';
import type { Surface } from '../../operations/operation.ts';
import { hideSecretWords } from '../../secret.ts';
import type { DesktopContext } from '../desktop-context.ts';

type LocalHandlers = Pick<IpcHandlers, 'local:draft' | 'local:prepare' | 'local:connect' | 'local:cancel'>;

interface Draft {
  readonly values: ReadonlyMap<string, string>;
  readonly from: string;
  /** Of its command, with the secrets that the form does not have. */
  readonly words: readonly string[];
}

/** Commands that were looked at and not connected, and those of lists that are in a form. */
const mostPrepared = 20;

/**
 * Connecting servers on this computer. That something is started is asked outside of any page: a script in the window can
 * make a call, and not answer that.
 */
export function localHandlers(
  { ports, calls, imports }: DesktopContext,
  { user }: Pick<Surface, 'user'>,
): LocalHandlers {
  const prepared = new Map<string, PreparedCommand>();
  const drafts = new Map<string, Draft>();

  return {
    'local:draft': async ({ entry }) => {
      const { server: { name, command } = {}, place } = imports.get(entry) ?? {};
      if (name === undefined || !command) throw gone();
      const { words, folder, variables } = command;
      const draft = crypto.randomUUID();
      const values = variables.flatMap((each) => (each.value === undefined ? [] : [[each.name, each.value] as const]));
      put(drafts, draft, { values: new Map(values), from: place?.program.name ?? 'mcp.json', words });
      return {
        draft,
        name: freeName({ name, url: localPlace('server') }, await ports.store.list()),
        words: [words[0] ?? '', ...hideSecretWords(words.slice(1))],
        ...(folder !== undefined && { folder }),
        variables: variables.map((each) => ({ name: each.name, isKept: each.value !== undefined })),
      };
    },
    'local:prepare': async ({ name, words: shownWords, folder, variables, draft }) => {
      const listed = draft === undefined ? undefined : drafts.get(draft);
      // Its secrets stand as `…` in the form.
      if (draft !== undefined && !listed) throw gone();
      const words = listed ? withSecrets(shownWords, listed.words) : shownWords;
      const readValues = async () =>
        Object.fromEntries(
          variables.map((variable) => {
            const value = variable.value ?? listed?.values.get(variable.name);
            if (value === undefined) throw new PosternError('IPC_SCHEMA', { stage: 'app' });
            return [variable.name, value];
          }),
        );
      const found = await prepareCommand({ ports, readValues }, { name, words, folder, from: listed?.from });
      const token = crypto.randomUUID();
      put(prepared, token, found);
      const { command, shown } = found;
      // With a key in it, where the form has that.
      const remote = remoteOf(shownWords);
      return { token, command, shown: [...shown], ...(remote && { remote }) };
    },
    'local:connect': async ({ token, call }) => {
      const chosen = prepared.get(token);
      if (!chosen) throw gone();
      const connected = await calls.run(call, (signal) => connectCommand({ ports, user, signal }, chosen));
      if (!connected) return null;
      prepared.delete(token);
      return { id: connected.integration.id, tools: connected.tools.length };
    },
    'local:cancel': async ({ call }) => {
      calls.stop(call);
      return null;
    },
  };
}

/** For operations: the processes that this program runs. */
export function askLocalHere({ ports: { local } }: DesktopContext): (ask: LocalAsk) => Promise<LocalReport> {
  return async (ask) => {
    const report = await answerLocal(local, ask);
    return { ...report, output: showOutput(report.output) };
  };
}

/** Words of a form in which the secrets of its list stand as `…`: each is the first left that is shown so. */
function withSecrets(shown: readonly string[], listed: readonly string[]): readonly string[] {
  const masked = hideSecretWords(listed.slice(1)).map((word, index) => ({ word, whole: listed[index + 1] ?? '' }));
  return shown.map((word, index) => {
    const at = index === 0 ? -1 : masked.findIndex((each) => each.word === word);
    return at < 0 ? word : (masked.splice(at, 1)[0]?.whole ?? word);
  });
}

/** Others took its place meanwhile. */
function gone(): PosternError {
  return new PosternError('LOCAL_DRAFT_GONE', { stage: 'local' });
}

/** Forgets the oldest where there are too many. */
function put<Kept>(map: Map<string, Kept>, key: string, kept: Kept): void {
  map.set(key, kept);
  for (const old of [...map.keys()].slice(0, -mostPrepared)) map.delete(old);
}

const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** What a program has written, as text: nothing in it moves, hides or turns what stands beside it. */
function showOutput(text: string): string {
  return withoutStyles(text.replace(/\r\n?/gu, '\n')).replace(hidden, '');
}
