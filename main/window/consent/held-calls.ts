import { randomUUID } from 'node:crypto';
import { shownInput } from '../../../shared/approval-view.ts';
import type { HeldCallAnswer, HeldCallView } from '../../../shared/approval-view.ts';
import { displayText, escapeHidden } from '../../address/display-text.ts';
import type { AskForCall, CallDecision, CallToConfirm } from '../../gateway-ports.ts';
import { callConfirmations } from '../../limits.ts';
import type { Clock } from '../../ports.ts';
import type { DesktopShell, NoticeQuestion } from '../../window-ports.ts';
import { windowWords } from '../../window-words.ts';

interface HeldCallsOptions {
  readonly clock: Pick<Clock, 'after' | 'now'>;
  readonly notify: DesktopShell['notify'];
  readonly onChange: () => void;
}

interface OpenConfirmation {
  readonly view: HeldCallView;
  /** The whole call in one line, if it is short enough for a notification. */
  readonly line: string | undefined;
  readonly settle: (answer: CallDecision) => void;
}

/** Characters of a tool's name, and of a call in a notification. */
const nameLength = 160;
const lineLength = 120;

/** Asks the user to confirm tool calls. A call without an answer in time is refused. */
export class HeldCalls {
  readonly #options: HeldCallsOptions;
  /** By id, oldest first. */
  readonly #open = new Map<string, OpenConfirmation>();
  /** The call of the latest notification, until that has been withdrawn for a moment. */
  #notified: { readonly id: string; readonly ended: AbortController } | undefined;

  constructor(options: HeldCallsOptions) {
    this.#options = options;
  }

  readonly ask: AskForCall = async (question) => {
    const { signal } = question;
    if (signal.aborted) return 'no';
    if (this.#open.size >= callConfirmations.count) return 'missed';
    const { clock, onChange } = this.#options;
    const { promise, resolve } = Promise.withResolvers<CallDecision>();
    const view = describe(question, clock.now() + callConfirmations.deadline);
    const stop = clock.after(callConfirmations.deadline, () => resolve('missed'));
    const onAbort = (): void => resolve('no');
    signal.addEventListener('abort', onAbort, { once: true });
    this.#open.set(view.id, { view, line: describeInLine(question, view), settle: resolve });
    onChange();
    this.#notify();
    try {
      return await promise;
    } finally {
      stop();
      signal.removeEventListener('abort', onAbort);
      this.#open.delete(view.id);
      this.#withdraw(view.id);
      onChange();
    }
  };

  views(): HeldCallView[] {
    return [...this.#open.values()].map(({ view }) => view);
  }

  /** Ignores an answer that is too late or was not available. */
  answer(id: string, answer: HeldCallAnswer): void {
    const open = this.#open.get(id);
    if (open && (answer !== 'always' || open.view.canLast)) open.settle(answer);
  }

  /** Notifies of the oldest call, of one at a time. */
  #notify(): void {
    const [oldest] = this.#open.values();
    if (!oldest || this.#notified) return;
    const { view, line } = oldest;
    const { id, integration, integrationId, app } = view;
    const ended = new AbortController();
    this.#notified = { id, ended };
    const { once, no, show } = windowWords.callAnswers;
    const deny = { label: no, press: () => this.answer(id, 'no') };
    // Nobody allows what they have not seen.
    const buttons: NoticeQuestion['buttons'] =
      line === undefined ? [{ label: show }, deny] : [{ label: once, press: () => this.answer(id, 'once') }, deny];
    const body = windowWords.callAsks(app, line);
    this.#options.notify({ title: integration, body, integrationId, question: { buttons, ended: ended.signal } });
  }

  /** Withdraws the call's notification. A pause before the next one, so that no click meant for one reaches the other. */
  #withdraw(id: string): void {
    if (this.#notified?.id !== id) return;
    this.#notified.ended.abort();
    this.#options.clock.after(callConfirmations.noticePause, () => {
      this.#notified = undefined;
      this.#notify();
    });
  }

  /** Ends all open questions as missed. */
  close(): void {
    for (const { settle } of this.#open.values()) settle('missed');
  }
}

function describe(
  { app, integration, tool, readOnly, input, canLast }: CallToConfirm,
  expiresAt: number,
): HeldCallView {
  const rendered = renderInput(input);
  return {
    id: randomUUID(),
    ...(app && { app: displayText(app.name) }),
    integration: displayText(integration.name),
    integrationId: integration.id,
    // Invisible characters would make another tool look the same.
    tool: displayText(escapeHidden(tool.slice(0, nameLength)), nameLength),
    readOnly,
    input: rendered.slice(0, shownInput),
    isCut: rendered.length > shownInput,
    canLast,
    expiresAt,
  };
}

/** A line that says as much as the window; `undefined` if it is too long, or if a system could read it as markup. */
function describeInLine({ tool, input }: CallToConfirm, view: HeldCallView): string | undefined {
  if (view.isCut || view.input.length > 1_000) return undefined;
  const line = escapeHidden(view.input === '' ? tool : `${tool} ${JSON.stringify(input)}`);
  return line.length <= lineLength && !/[<>&\p{Cc}]/u.test(line) ? line : undefined;
}

/** Renders JSON with invisible characters and bidi controls escaped. */
function renderInput(input: unknown): string {
  const text = input === undefined ? '' : JSON.stringify(input, undefined, 2);
  return escapeHidden(text);
}
