import { randomUUID } from 'node:crypto';
import { shownInput } from '../../../shared/approval-view.ts';
import type { HeldCallAnswer, HeldCallView } from '../../../shared/approval-view.ts';
import { displayText, escapeHidden } from '../../address/display-text.ts';
import type { AskForCall, CallDecision, CallToConfirm } from '../../gateway-ports.ts';
import { callConfirmations } from '../../limits.ts';
import type { Clock } from '../../ports.ts';
import type { DesktopShell } from '../../window-ports.ts';
import { windowWords } from '../../window-words.ts';

export interface HeldCallsOptions {
  readonly clock: Pick<Clock, 'after' | 'now'>;
  readonly notify: DesktopShell['notify'];
  readonly onChange: () => void;
}

interface OpenConfirmation {
  readonly view: HeldCallView;
  readonly settle: (answer: CallDecision) => void;
}

/** Characters of a tool's name. */
const nameLength = 160;

/** Asks the user to confirm tool calls. A call without an answer in time is refused. */
export class HeldCalls {
  readonly #options: HeldCallsOptions;
  /** By id, oldest first. */
  readonly #open = new Map<string, OpenConfirmation>();

  constructor(options: HeldCallsOptions) {
    this.#options = options;
  }

  readonly ask: AskForCall = async (question) => {
    const { signal } = question;
    if (signal.aborted) return 'no';
    if (this.#open.size >= callConfirmations.count) return 'missed';
    const { clock, notify, onChange } = this.#options;
    const { promise, resolve } = Promise.withResolvers<CallDecision>();
    const view = describe(question, clock.now() + callConfirmations.deadline);
    const stop = clock.after(callConfirmations.deadline, () => resolve('missed'));
    const onAbort = (): void => resolve('no');
    signal.addEventListener('abort', onAbort, { once: true });
    this.#open.set(view.id, { view, settle: resolve });
    onChange();
    // Further calls are shown after the first.
    if (this.#open.size === 1)
      notify({ title: view.integration, body: windowWords.callAsks(view.app), integrationId: view.integrationId });
    try {
      return await promise;
    } finally {
      stop();
      signal.removeEventListener('abort', onAbort);
      this.#open.delete(view.id);
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

/** Renders JSON with invisible characters and bidi controls escaped. */
export function renderInput(input: unknown): string {
  const text = input === undefined ? '' : JSON.stringify(input, undefined, 2);
  return escapeHidden(text);
}
