// The user at the window: answers operations and servers through system dialogs and the asking window.

import { randomUUID } from 'node:crypto';
import type { Integration } from '../../../shared/integration.ts';
import type { FieldValue } from '../../../shared/question-field.ts';
import type { QuestionView, QuestionRefusal } from '../../../shared/question-view.ts';
import { displayHostAndPort, displayText, isConfusableHost } from '../../address/display-text.ts';
import type { ServerUser } from '../../engine/use/use-server.ts';
import { elicitation } from '../../limits.ts';
import type { QuestionAnswer, UserPrompter, ServerQuestion } from '../../mcp/client/server-questions.ts';
import type { Question, User } from '../../operations/operation.ts';
import type { Clock } from '../../ports.ts';
import type { DesktopShell, Confirmation } from '../../window-ports.ts';
import { windowWords } from '../../window-words.ts';
import { displayBlock } from '../views/display-json.ts';
import { HeldCalls } from './held-calls.ts';
import { createConfirm, limitNotifications } from './notifications.ts';
import type { Confirm } from './notifications.ts';
import { AccessRequests } from './access-requests.ts';

interface WindowUserOptions {
  readonly clock: Clock;
  readonly shell: DesktopShell;
  readonly changed: (slice: 'approvals' | 'heldCalls' | 'questions') => void;
  /** Names of the apps that these previewed changes belong to. */
  readonly namesOf: (entries: readonly string[]) => readonly string[];
}

/**
 * The user at the window, and the open questions. Sign-in interaction is not included: each sign-in attempt has
 * its own.
 */
export interface WindowUser extends Required<Pick<User, 'confirm' | 'allowUse' | 'allowCall'>> {
  readonly accessRequests: AccessRequests;
  readonly heldCalls: HeldCalls;
  readonly questions: OpenQuestions;
  /** The user during one call from the window. `refused` is called for each question that is not shown. */
  duringCall(refused: (why: QuestionRefusal) => void): ServerUser;
  /** Ends all open questions. */
  close(): void;
}

export function createWindowUser({ clock, shell, changed, namesOf }: WindowUserOptions): WindowUser {
  const ask = createConfirm(shell);
  const notify = limitNotifications((notice) => shell.notify(notice), clock);
  const accessRequests = new AccessRequests({ clock, notify, onChange: () => changed('approvals') });
  const heldCalls = new HeldCalls({
    clock,
    // Not rate-limited: a call waits less than a minute for its answer.
    notify: (notice) => shell.notify(notice),
    onChange: () => changed('heldCalls'),
  });
  const questions = new OpenQuestions({ clock, shell, notify, onChange: () => changed('questions') });
  return {
    confirm: async (question) => await confirm(ask, question, namesOf),
    allowUse: accessRequests.ask,
    allowCall: heldCalls.ask,
    accessRequests,
    heldCalls,
    questions,
    duringCall: (refused) => ({ questionHandler: (call) => questions.prompterFor({ ...call, refused }) }),
    close() {
      accessRequests.close();
      heldCalls.close();
    },
  };
}

/** Asks the user in system dialogs. */
async function confirm(ask: Confirm, question: Question, namesOf: WindowUserOptions['namesOf']): Promise<boolean> {
  switch (question.kind) {
    case 'revoke':
      return await ask(windowWords.ask.revoke(question.app));
    case 'sign-out':
      // The window undoes it instead of asking.
      return true;
    case 'remove':
      return await ask(windowWords.ask.remove(namesOfServers(question.servers), namesOf(question.entries)));
    case 'remove-everything':
      return await ask(windowWords.ask.deleteAll(question.servers, namesOf(question.entries)));
    case 'run-command':
      return await confirmInPages(ask, windowWords.ask.runCommand(question));
  }
}

function namesOfServers(servers: readonly Integration[]): readonly string[] {
  return servers.map(({ name }) => displayText(name));
}

/** Lines and characters that a system dialog shows on any screen. */
const dialogPage = { lines: 24, length: 100 } as const;

/** System dialogs do not scroll, so a long text is shown in several dialogs. Only the last one confirms. */
async function confirmInPages(
  ask: Confirm,
  { message, detail, button, next }: Confirmation & { readonly next: string },
): Promise<boolean> {
  const lines = detail.split('\n').flatMap((line) => wrapLine([...line]));
  const count = Math.ceil(lines.length / dialogPage.lines);
  for (let number = 1; number <= count; number += 1) {
    const shown = lines.slice((number - 1) * dialogPage.lines, number * dialogPage.lines).join('\n');
    const pageNumber = count === 1 ? '' : ` (${number}/${count})`;
    if (!(await ask({ message: `${message}${pageNumber}`, detail: shown, button: number === count ? button : next })))
      return false;
  }
  return true;
}

/** Wraps a long line; an arrow marks the continuation. */
function wrapLine(characters: readonly string[]): readonly string[] {
  if (characters.length <= dialogPage.length) return [characters.join('')];
  const first = characters.slice(0, dialogPage.length).join('');
  return [`${first} ↩`, ...wrapLine(characters.slice(dialogPage.length))];
}

interface OpenQuestionsOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly shell: Pick<DesktopShell, 'openBrowser'>;
  readonly notify: DesktopShell['notify'];
  readonly onChange: () => void;
}

interface AskingCall {
  readonly integration: Pick<Integration, 'id' | 'name' | 'url'>;
  readonly tool: string;
  readonly refused: (why: QuestionRefusal) => void;
}

interface OpenQuestion {
  view: QuestionView;
  readonly question: ServerQuestion;
  readonly settle: (answer: QuestionAnswer) => void;
}

/** Elicitation requests from servers, until they are answered or their call ends. */
class OpenQuestions {
  readonly #options: OpenQuestionsOptions;
  readonly #open = new Map<string, OpenQuestion>();

  constructor(options: OpenQuestionsOptions) {
    this.#options = options;
  }

  views(): QuestionView[] {
    return [...this.#open.values()].map(({ view }) => view);
  }

  /** Asks the user what the server asks during this call. */
  prompterFor(call: AskingCall): Omit<UserPrompter, 'checkPage'> {
    return { ask: (question, signal) => this.#ask(call, question, signal), onRefused: call.refused };
  }

  /** Ignores a late answer. Errors: BROWSER_OPEN_FAILED; the user can then open the page by hand. */
  async answer(id: string, { answer: action, content }: UserAnswer): Promise<void> {
    const open = this.#open.get(id);
    if (!open) return;
    const { view, question, settle } = open;
    if (action !== 'accept') return settle({ action });
    if (question.kind === 'form') return settle({ action, ...(content && { content }) });
    if (view.kind !== 'page' || view.state !== 'asked') return settle({ action });
    const setState = (state: 'opened' | 'failed'): void => {
      open.view = { ...view, state };
      this.#options.onChange();
    };
    if (question.isRequired) {
      setState('opened');
      void question.completed.then(() => settle({ action }));
    }
    try {
      await this.#options.shell.openBrowser(question.address);
    } catch (error) {
      setState('failed');
      throw error;
    }
    if (!question.isRequired) settle({ action });
  }

  async #ask(call: AskingCall, question: ServerQuestion, signal: AbortSignal): Promise<QuestionAnswer> {
    const { clock, notify, onChange } = this.#options;
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<QuestionAnswer>();
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const view = describe(call, question, clock.now() + elicitation.deadline);
    this.#open.set(view.id, { view, question, settle: resolve });
    onChange();
    notify({ title: view.integration, body: windowWords.serverAsks, integrationId: view.integrationId });
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#open.delete(view.id);
      onChange();
    }
  }
}

interface UserAnswer {
  readonly answer: QuestionAnswer['action'];
  readonly content?: Record<string, FieldValue> | undefined;
}

function describe({ integration, tool }: AskingCall, question: ServerQuestion, expiresAt: number): QuestionView {
  const common = {
    id: randomUUID(),
    integrationId: integration.id,
    integration: displayText(integration.name),
    host: displayHostAndPort(new URL(integration.url)),
    ...(question.belongsToCall && { tool: displayText(tool) }),
    message: displayBlock(question.message, elicitation.message).text,
    expiresAt,
  };
  if (question.kind === 'form') return { ...common, kind: 'form', fields: [...question.fields] };
  const url = new URL(question.address);
  return {
    ...common,
    kind: 'page',
    address: question.address,
    place: displayHostAndPort(url),
    isConfusable: isConfusableHost(url.hostname),
    state: 'asked',
  };
}
