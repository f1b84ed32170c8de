import { randomUUID } from 'node:crypto';
import { shownInput } from '../../../shared/approval-view.ts';
import type { HeldCallAnswer, HeldCallView } from '../../../shared/approval-view.ts';
import { displayText, writeOutHidden } from '../../address/display-text.ts';
import type { AskForCall, CallAnswer, CallQuestion } from '../../gateway-ports.ts';
import { askedCalls } from '../../limits.ts';
import type { Clock } from '../../ports.ts';
import type { DesktopShell } from '../../window-ports.ts';
import { windowWords } from '../../window-words.ts';

export interface HeldCallsOptions {
  readonly clock: Pick<Clock, 'after' | 'now'>;
  readonly notify: DesktopShell['notify'];
  readonly onChange: () => void;
}

interface Open {
  readonly view: HeldCallView;
  readonly settle: (answer: CallAnswer) => void;
}

/** Characters of a tool's name. */
const nameLength = 160;

/** Asks the person about single calls of tools. What nobody answers in time is not made. */
export class HeldCalls {
  readonly #options: HeldCallsOptions;
  /** By id, in the order in which they came. */
  readonly #open = new Map<string, Open>();

  constructor(options: HeldCallsOptions) {
    this.#options = options;
  }

  readonly ask: AskForCall = async (question) => {
    const { signal } = question;
    if (signal.aborted) return 'no';
    if (this.#open.size >= askedCalls.count) return 'missed';
    const { clock, notify, onChange } = this.#options;
    const { promise, resolve } = Promise.withResolvers<CallAnswer>();
    const view = describe(question, clock.now() + askedCalls.deadline);
    const stop = clock.after(askedCalls.deadline, () => resolve('missed'));
    const leave = (): void => resolve('no');
    signal.addEventListener('abort', leave, { once: true });
    this.#open.set(view.id, { view, settle: resolve });
    onChange();
    // The others come up after it.
    if (this.#open.size === 1)
      notify({ title: view.integration, body: windowWords.callAsks(view.program), integrationId: view.integrationId });
    try {
      return await promise;
    } finally {
      stop();
      signal.removeEventListener('abort', leave);
      this.#open.delete(view.id);
      onChange();
    }
  };

  views(): HeldCallView[] {
    return [...this.#open.values()].map(({ view }) => view);
  }

  /** An answer that is too late, or that was not offered, changes nothing. */
  answer(id: string, answer: HeldCallAnswer): void {
    const open = this.#open.get(id);
    if (open && (answer !== 'always' || open.view.canLast)) open.settle(answer);
  }

  /** Nobody can answer any more. */
  close(): void {
    for (const { settle } of this.#open.values()) settle('missed');
  }
}

function describe(
  { program, integration, tool, readOnly, input, canLast }: CallQuestion,
  expiresAt: number,
): HeldCallView {
  const written = writeOut(input);
  return {
    id: randomUUID(),
    ...(program && { program: displayText(program.name) }),
    integration: displayText(integration.name),
    integrationId: integration.id,
    // One that nobody sees would be another tool by the same name.
    tool: displayText(writeOutHidden(tool.slice(0, nameLength)), nameLength),
    readOnly,
    input: written.slice(0, shownInput),
    isCut: written.length > shownInput,
    canLast,
    expiresAt,
  };
}

/** As JSON in which nothing is hidden: what has no shape of its own, or turns the direction of text, is written out. */
export function writeOut(input: unknown): string {
  const text = input === undefined ? '' : JSON.stringify(input, undefined, 2);
  return writeOutHidden(text);
}
