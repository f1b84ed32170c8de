import type { IpcHandlers } from '../../../shared/ipc-contract.ts';
import { localAddress } from '../../address/check-address.ts';
import { stripTerminalSequences } from '../../address/display-text.ts';
import { remoteOf } from '../../apps/import/listed-server.ts';
import { freeName } from '../../engine/connect/with-free-name.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { handleLocalRequest } from '../../local-ports.ts';
import type { LocalRequest, LocalReport } from '../../local-ports.ts';
import { connectCommand, prepareCommand } from '../../operations/local.ts';
import type { PreparedCommand } from '../../operations/local.ts';
import type { Surface } from '../../operations/operation.ts';
import { hideSecretWords } from '../../secret.ts';
import type { DesktopContext } from '../desktop-context.ts';

type LocalHandlers = Pick<IpcHandlers, 'local:draft' | 'local:prepare' | 'local:connect' | 'local:cancel'>;

interface Draft {
  readonly values: ReadonlyMap<string, string>;
  readonly from: string;
  /** The whole command, including secrets that the form does not show. */
  readonly words: readonly string[];
}

/** How many prepared commands, and how many drafts from lists, are retained. */
const maxPrepared = 20;

/**
 * Connects local servers. Consent to start a command is asked for in a system dialog: a script in the window can make
 * the call, but cannot answer it.
 */
export function localHandlers(
  { ports, calls, imports, sendEvent }: DesktopContext,
  { user }: Pick<Surface, 'user'>,
): LocalHandlers {
  const prepared = new Map<string, PreparedCommand>();
  const drafts = new Map<string, Draft>();

  return {
    'local:draft': async ({ entry }) => {
      const { server: { name, command } = {}, source } = imports.get(entry) ?? {};
      if (name === undefined || !command) throw draftGone();
      const { words, folder, variables } = command;
      const draft = crypto.randomUUID();
      const values = variables.flatMap((each) => (each.value === undefined ? [] : [[each.name, each.value] as const]));
      putBounded(drafts, draft, { values: new Map(values), from: source?.app.name ?? 'mcp.json', words });
      return {
        draft,
        name: freeName({ name, url: localAddress('server') }, await ports.store.list()),
        words: [words[0] ?? '', ...hideSecretWords(words.slice(1))],
        ...(folder !== undefined && { folder }),
        variables: variables.map((each) => ({ name: each.name, hasListedValue: each.value !== undefined })),
      };
    },
    'local:prepare': async ({ name, words: formWords, folder, variables, draft }) => {
      const listed = draft === undefined ? undefined : drafts.get(draft);
      // Secrets appear as `…` in the form, so the draft is needed.
      if (draft !== undefined && !listed) throw draftGone();
      const words = listed ? withSecrets(formWords, listed.words) : formWords;
      const readValues = async () =>
        Object.fromEntries(
          variables.map((variable) => {
            const value = variable.value ?? listed?.values.get(variable.name);
            if (value === undefined) throw new PosternError('IPC_SCHEMA', { stage: 'postern' });
            return [variable.name, value];
          }),
        );
      const found = await prepareCommand({ ports, readValues }, { name, words, folder, from: listed?.from });
      const token = crypto.randomUUID();
      putBounded(prepared, token, found);
      const { command, shown } = found;
      // The form may contain a key as typed.
      const remote = remoteOf(formWords);
      return { token, command, shown: [...shown], ...(remote && { remote }) };
    },
    'local:connect': async ({ token, call }) => {
      const chosen = prepared.get(token);
      if (!chosen) throw draftGone();
      const starting = (): void => sendEvent({ event: 'allowed', call });
      const connected = await calls.run(call, (signal) => connectCommand({ ports, user, signal, starting }, chosen));
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

/** Handles requests about the local servers that this process runs. */
export function localRequestHandler({
  ports: { local },
}: DesktopContext): (request: LocalRequest) => Promise<LocalReport> {
  return async (request) => {
    const report = await handleLocalRequest(local, request);
    return { ...report, output: showOutput(report.output) };
  };
}

/** Puts secrets back into a form that shows them as `…`: each takes the first remaining word that looks the same. */
function withSecrets(maskedWords: readonly string[], listed: readonly string[]): readonly string[] {
  const masked = hideSecretWords(listed.slice(1)).map((word, index) => ({ word, whole: listed[index + 1] ?? '' }));
  return maskedWords.map((word, index) => {
    const at = index === 0 ? -1 : masked.findIndex((each) => each.word === word);
    return at < 0 ? word : (masked.splice(at, 1)[0]?.whole ?? word);
  });
}

/** The draft was evicted meanwhile. */
function draftGone(): PosternError {
  return new PosternError('LOCAL_DRAFT_GONE', { stage: 'local' });
}

/** Evicts the oldest if there are too many. */
function putBounded<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.set(key, value);
  for (const old of [...map.keys()].slice(0, -maxPrepared)) map.delete(old);
}

const hiddenCharacters = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Process output as safe text: without control, bidi and invisible characters. */
function showOutput(text: string): string {
  return stripTerminalSequences(text.replace(/\r\n?/gu, '\n')).replace(hiddenCharacters, '');
}
