import { randomUUID } from 'node:crypto';
import type { Integration } from '../../../shared/integration.ts';
import type { FieldValue } from '../../../shared/question-field.ts';
import type { QuestionView, RefusedQuestion } from '../../../shared/question-view.ts';
import { displayPlace, displayText, isConfusableHost } from '../../address/display-text.ts';
import type { ServerUser } from '../../engine/use/use-server.ts';
import { serverQuestion } from '../../limits.ts';
import type { QuestionAnswer, QuestionedPerson, ServerQuestion } from '../../mcp/client/server-questions.ts';
import type { Question, User } from '../../operations/operation.ts';
import type { Clock } from '../../ports.ts';
import type { DesktopShell, PersonQuestion } from '../../window-ports.ts';
import { windowWords } from '../../window-words.ts';
import { displayBlock } from '../views/display-json.ts';
import { HeldCalls } from './held-calls.ts';
import { createAskPerson, limitNotices } from './notices.ts';
import type { AskPerson } from './notices.ts';
import { UseQuestions } from './use-questions.ts';

export interface WindowUserOptions {
  readonly clock: Clock;
  readonly shell: DesktopShell;
  readonly changed: (slice: 'approvals' | 'heldCalls' | 'questions') => void;
  /** What changes of apps that were shown are called. */
  readonly namesOf: (entries: readonly string[]) => readonly string[];
}

/**
 * The user at the window, and what is open before them. Each attempt to connect adds its own side of the sign-in: it is
 * shown with that attempt.
 */
export interface WindowUser extends Required<Pick<User, 'confirm' | 'allowUse' | 'allowCall'>> {
  readonly uses: UseQuestions;
  readonly calls: HeldCalls;
  readonly questions: ShownQuestions;
  /** During one call of a window. `refused`: told what was not asked. */
  during(refused: (why: RefusedQuestion) => void): ServerUser;
  /** Nobody can answer any more. */
  close(): void;
}

export function createWindowUser({ clock, shell, changed, namesOf }: WindowUserOptions): WindowUser {
  const ask = createAskPerson(shell);
  const notify = limitNotices((notice) => shell.notify(notice), clock);
  const uses = new UseQuestions({ clock, notify, onChange: () => changed('approvals') });
  const calls = new HeldCalls({
    clock,
    // Each is over in less than a minute: it cannot wait until another notice is due.
    notify: (notice) => shell.notify(notice),
    onChange: () => changed('heldCalls'),
  });
  const questions = new ShownQuestions({ clock, shell, notify, onChange: () => changed('questions') });
  return {
    confirm: async (question) => await confirm(ask, question, namesOf),
    allowUse: uses.ask,
    allowCall: calls.ask,
    uses,
    calls,
    questions,
    during: (refused) => ({ questioned: (call) => questions.person({ ...call, refused }) }),
    close() {
      uses.close();
      calls.close();
    },
  };
}

/** Puts the question of an operation to the user, in dialogs of the system. */
async function confirm(ask: AskPerson, question: Question, namesOf: WindowUserOptions['namesOf']): Promise<boolean> {
  switch (question.kind) {
    case 'revoke':
      return await ask(windowWords.ask.revoke(question.app));
    case 'sign-out':
      return await ask(windowWords.ask.signOut(namesOfServers(question.servers)));
    case 'remove':
      return await ask(windowWords.ask.remove(namesOfServers(question.servers), namesOf(question.entries)));
    case 'remove-everything':
      return await ask(windowWords.ask.deleteAll(question.servers, namesOf(question.entries)));
    case 'run-command':
      return await askInPages(ask, windowWords.ask.runCommand(question));
  }
}

function namesOfServers(servers: readonly Integration[]): readonly string[] {
  return servers.map(({ name }) => displayText(name));
}

/** What a dialog of the system shows on any screen with its buttons. */
const page = { lines: 24, length: 100 } as const;

/** A dialog of the system does not scroll: one after the other shows what is too long for one, and the last agrees. */
async function askInPages(
  ask: AskPerson,
  { message, detail, button, next }: PersonQuestion & { readonly next: string },
): Promise<boolean> {
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

interface ShownQuestionsOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly shell: Pick<DesktopShell, 'openBrowser'>;
  readonly notify: DesktopShell['notify'];
  readonly onChange: () => void;
}

interface QuestionedCall {
  readonly integration: Pick<Integration, 'id' | 'name' | 'url'>;
  readonly tool: string;
  readonly refused: (why: RefusedQuestion) => void;
}

interface Open {
  view: QuestionView;
  readonly question: ServerQuestion;
  readonly settle: (answer: QuestionAnswer) => void;
}

/** What servers ask whoever sits at the window, until it is answered or its call is over. */
class ShownQuestions {
  readonly #options: ShownQuestionsOptions;
  readonly #open = new Map<string, Open>();

  constructor(options: ShownQuestionsOptions) {
    this.#options = options;
  }

  views(): QuestionView[] {
    return [...this.#open.values()].map(({ view }) => view);
  }

  /** Whoever waits for this call. */
  person(call: QuestionedCall): Omit<QuestionedPerson, 'checkPage'> {
    return { ask: (question, signal) => this.#ask(call, question, signal), refused: call.refused };
  }

  /** One that is too late changes nothing. Errors: BROWSER_OPEN_FAILED; the page is then opened by hand. */
  async answer(id: string, { answer: action, content }: GivenAnswer): Promise<void> {
    const open = this.#open.get(id);
    if (!open) return;
    const { view, question, settle } = open;
    if (action !== 'accept') return settle({ action });
    if (question.kind === 'form') return settle({ action, ...(content && { content }) });
    if (view.kind !== 'page' || view.state !== 'asked') return settle({ action });
    const turnTo = (state: 'opened' | 'failed'): void => {
      open.view = { ...view, state };
      this.#options.onChange();
    };
    if (question.isRequired) {
      turnTo('opened');
      void question.completed.then(() => settle({ action }));
    }
    try {
      await this.#options.shell.openBrowser(question.address);
    } catch (error) {
      turnTo('failed');
      throw error;
    }
    if (!question.isRequired) settle({ action });
  }

  async #ask(call: QuestionedCall, question: ServerQuestion, signal: AbortSignal): Promise<QuestionAnswer> {
    const { clock, notify, onChange } = this.#options;
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<QuestionAnswer>();
    const end = (): void => reject(signal.reason);
    signal.addEventListener('abort', end, { once: true });
    const view = describe(call, question, clock.now() + serverQuestion.deadline);
    this.#open.set(view.id, { view, question, settle: resolve });
    onChange();
    notify({ title: view.integration, body: windowWords.serverAsks, integrationId: view.integrationId });
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', end);
      this.#open.delete(view.id);
      onChange();
    }
  }
}

interface GivenAnswer {
  readonly answer: QuestionAnswer['action'];
  readonly content?: Record<string, FieldValue> | undefined;
}

function describe({ integration, tool }: QuestionedCall, question: ServerQuestion, expiresAt: number): QuestionView {
  const asked = {
    id: randomUUID(),
    integrationId: integration.id,
    integration: displayText(integration.name),
    host: displayPlace(new URL(integration.url)),
    ...(question.isOfCall && { tool: displayText(tool) }),
    message: displayBlock(question.message, serverQuestion.message).text,
    expiresAt,
  };
  if (question.kind === 'form') return { ...asked, kind: 'form', fields: [...question.fields] };
  const url = new URL(question.address);
  return {
    ...asked,
    kind: 'page',
    address: question.address,
    place: displayPlace(url),
    isConfusable: isConfusableHost(url.hostname),
    state: 'asked',
  };
}
