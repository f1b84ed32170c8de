import { randomUUID } from 'node:crypto';
import type { Integration } from '../../../shared/integration.ts';
import type { FieldValue } from '../../../shared/question-field.ts';
import type { QuestionView, RefusedQuestion } from '../../../shared/question-view.ts';
import { displayPlace, displayText } from '../../address/display-text.ts';
import { isConfusableHost } from '../../address/is-confusable-host.ts';
import type { QuestionAnswer, QuestionedPerson, ServerQuestion } from '../../mcp/client/server-questions.ts';
import { serverQuestion } from '../../mcp/use-bounds.ts';
import type { Clock } from '../../ports.ts';
import type { DesktopShell } from '../../window-ports.ts';
import { windowWords } from '../../window-words.ts';
import { displayBlock } from '../views/display-json.ts';

export interface ShownQuestionsOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly shell: Pick<DesktopShell, 'openBrowser'>;
  readonly notify: DesktopShell['notify'];
  readonly onChange: () => void;
}

export interface QuestionedCall {
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
export class ShownQuestions {
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
