import type { IpcHandlers } from '../../../shared/ipc-contract.ts';
import type { LocalCommand } from '../../../shared/local-command.ts';
import { localPlace } from '../../address/check-address.ts';
import { connectLocal, findLocalBefore } from '../../engine/connect/connect-local.ts';
import { freeName } from '../../engine/connect/new-integration.ts';
import {
  allowCommand,
  hasValues,
  mayRun,
  noteAllowed,
  readCommand,
  setLifetime,
} from '../../engine/kept/local-consent.ts';
import type { LocalValues } from '../../engine/kept/local-consent.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { remoteOf } from '../../apps/import/list-server.ts';
import { hideSecretWords, sealCommand, shownVariables } from '../../secret.ts';
import type { PersonQuestion } from '../../window-ports.ts';
import { windowWords } from '../../window-words.ts';
import type { DesktopContext } from '../../window/desktop-context.ts';
import { readServer } from '../../operations/read-server.ts';

type LocalHandlers = Pick<
  IpcHandlers,
  | 'local:draft'
  | 'local:prepare'
  | 'local:connect'
  | 'local:cancel'
  | 'local:status'
  | 'local:start'
  | 'local:stop'
  | 'local:share'
>;

interface Draft {
  readonly values: ReadonlyMap<string, string>;
  readonly from: string;
  /** Of its command, with the secrets that the form does not have. */
  readonly words: readonly string[];
}

interface Prepared {
  readonly name: string;
  readonly command: LocalCommand;
  readonly values: LocalValues;
}

/** Commands that were looked at and not connected, and those of lists that are in a form. */
const mostPrepared = 20;

/**
 * Servers on this computer. That something is started is asked outside of any page: a script in the window can make a
 * call, and not answer that.
 */
export function localHandlers({ ports, ask, calls, board, imports, gateway, changed }: DesktopContext): LocalHandlers {
  const { local } = ports;
  const prepared = new Map<string, Prepared>();
  const drafts = new Map<string, Draft>();

  async function read(id: string) {
    const integration = await readServer(ports, id);
    if (!integration.command) throw new PosternError('NOT_FOUND', { stage: 'app', detail: { count: 0 } });
    const { command } = integration;
    const vault = await ports.vault();
    return { integration, command, vault, kept: await readCommand(vault, id, command) };
  }

  return {
    'local:draft': async ({ entry }) => {
      const { name, command, place } = imports.get(entry) ?? {};
      if (name === undefined || !command) throw new PosternError('LIST_UNREADABLE', { stage: 'address' });
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
    'local:prepare': async ({ name, words: shownWords, folder: typed, variables, draft }) => {
      await findLocalBefore(ports, name);
      const listed = draft === undefined ? undefined : drafts.get(draft);
      const valueOf = (variable: { name: string; value?: string | undefined }): string => {
        const value = variable.value ?? listed?.values.get(variable.name);
        if (value === undefined) throw new PosternError('IPC_SCHEMA', { stage: 'app' });
        return value;
      };
      const words = listed ? withSecrets(shownWords, listed.words) : shownWords;
      const placed = await local.prepare(words, typed);
      const names = variables.map((variable) => variable.name);
      const typedCommand: LocalCommand = { ...placed, variables: names, ...(listed && { from: listed.from }) };
      const { command, values } = sealCommand(
        typedCommand,
        Object.fromEntries(variables.map((variable) => [variable.name, valueOf(variable)])),
      );
      const token = crypto.randomUUID();
      put(prepared, token, { name, command, values });
      const remote = remoteOf(words);
      return { token, command, shown: [...shownVariables(command, values)], ...(remote && { remote }) };
    },
    'local:connect': async ({ token, call }) => {
      const chosen = prepared.get(token);
      if (!chosen) throw new PosternError('IPC_SCHEMA', { stage: 'app' });
      if (!(await askToRun(ask, chosen.name, chosen.command, chosen.values))) return null;
      const again = await findLocalBefore(ports, chosen.name);
      const request = { ...chosen, id: again?.id ?? crypto.randomUUID(), again };
      const { integration, tools } = await calls.run(call, (signal) => connectLocal(ports, request, signal));
      prepared.delete(token);
      return { id: integration.id, tools: tools.length };
    },
    'local:cancel': async ({ call }) => {
      calls.stop(call);
      return null;
    },
    'local:status': async ({ id, since }) => {
      const { kept, command } = await read(id);
      const isAllowed = mayRun(command, kept);
      await noteAllowed(ports.store, { id, command }, isAllowed);
      const { text, total } = local.output(id, since);
      const { state, processes } = local.status(id);
      return {
        state,
        processes: [...processes],
        output: showOutput(text),
        total,
        isAllowed,
      };
    },
    'local:start': async ({ id }) => {
      const { integration, command, vault, kept } = await read(id);
      if (!mayRun(command, kept)) {
        const values = kept?.values ?? {};
        if (!hasValues(command, values))
          throw new PosternError('LOCAL_CONSENT', { stage: 'local', remedy: { kind: 'connect-command' } });
        if (!(await askToRun(ask, integration.name, command, values))) return null;
        await allowCommand({ vault, store: ports.store }, { id, command }, values);
      }
      local.allow(id);
      board.forget(id);
      return { id };
    },
    'local:share': async ({ id, isShared }) => {
      await setLifetime(ports, id, isShared);
      await gateway?.changed();
      changed('integrations');
      return null;
    },
    'local:stop': async ({ id }) => {
      await read(id);
      await local.stop(id);
      return null;
    },
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

/** Forgets the oldest where there are too many. */
function put<Kept>(map: Map<string, Kept>, key: string, kept: Kept): void {
  map.set(key, kept);
  for (const old of [...map.keys()].slice(0, -mostPrepared)) map.delete(old);
}

/** What a dialog of the system shows on any screen with its buttons. */
const page = { lines: 24, length: 100 } as const;

/**
 * Asks whether a command may run, all of it: a dialog of the system does not scroll, so one after the other shows what is
 * too long for one, and the last has the button that starts it.
 */
async function askToRun(
  ask: (question: PersonQuestion) => Promise<boolean>,
  name: string,
  command: LocalCommand,
  values: LocalValues,
): Promise<boolean> {
  const { message, detail, button, next } = windowWords.ask.runCommand(name, command, shownVariables(command, values));
  const lines = detail.split('\n').flatMap((line) => inParts([...line]));
  const count = Math.ceil(lines.length / page.lines);
  for (let number = 1; number <= count; number += 1) {
    const shown = lines.slice((number - 1) * page.lines, number * page.lines).join('\n');
    const place = count === 1 ? '' : ` (${number}/${count})`;
    if (!(await ask({ message: `${message}${place}`, detail: shown, button: number === count ? button : next })))
      return false;
  }
  return true;
}

/** One line for each part; an arrow shows that it goes on. */
function inParts(characters: readonly string[]): readonly string[] {
  if (characters.length <= page.length) return [characters.join('')];
  const first = characters.slice(0, page.length).join('');
  return [`${first} ↩`, ...inParts(characters.slice(page.length))];
}

/** Colours and the like, which a terminal would take for orders. */
const sequences = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-_])/gu;
const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** What a program has written, as text: nothing in it moves, hides or turns what stands beside it. */
function showOutput(text: string): string {
  return text.replace(/\r\n?/gu, '\n').replace(sequences, '').replace(hidden, '');
}
