import { randomUUID } from 'node:crypto';
import type { ApprovalAnswer, ApprovalView } from '../../../shared/approval-view.ts';
import { displayText, writeOutConfusable } from '../../address/display-text.ts';
import { findNamedProgram } from '../../apps/table/table.ts';
import type { AskForUse, UseAnswer, UseQuestion } from '../../gateway-ports.ts';
import { askedAgain, useQuestions } from '../../limits.ts';
import type { Clock } from '../../ports.ts';
import type { DesktopShell } from '../../window-ports.ts';
import { windowWords } from '../../window-words.ts';

export interface UseQuestionsOptions {
  readonly clock: Pick<Clock, 'after' | 'now'>;
  readonly notify: DesktopShell['notify'];
  readonly onChange: () => void;
}

interface Open {
  readonly view: ApprovalView;
  readonly program: { readonly id: string; readonly name: string } | undefined;
  readonly answer: Promise<UseAnswer>;
  readonly settle: (answer: UseAnswer) => void;
}

/** One that nobody answered in time. */
interface Missed extends Pick<Open, 'view' | 'program'> {
  /** For the next time that the program asks. */
  readonly answer?: UseAnswer;
}

const no: UseAnswer = { kind: 'no' };

/**
 * Asks the person which programs may use what: one question for a program and a server, and none again after a no. One
 * that nobody answered waits where the person may look for it; its program, which asks once a minute, interrupts nobody
 * for a while.
 */
export class UseQuestions {
  readonly #options: UseQuestionsOptions;
  /** By what is asked, in the order in which it was. */
  readonly #open = new Map<string, Open>();
  readonly #refused = new Set<string>();
  readonly #missed = new Map<string, Missed>();

  constructor(options: UseQuestionsOptions) {
    this.#options = options;
  }

  readonly ask: AskForUse = async (question) => {
    const key = keyOf(question);
    if (this.#refused.has(key)) return no;
    const open = this.#open.get(key);
    const missed = this.#missed.get(key);
    // What was said of one name holds for no other.
    if ((open ?? missed) && (open ?? missed)?.view.program !== identify(question).name) return no;
    if (open) return await open.answer;
    if (missed?.answer) {
      this.#missed.delete(key);
      return missed.answer;
    }
    if (missed && this.#options.clock.now() < missed.view.expiresAt + askedAgain) return no;
    if (this.#open.size >= useQuestions.count) return no;
    return await this.#begin(key, question);
  };

  views(): ApprovalView[] {
    const waiting = [...this.#missed.values()].filter(({ answer }) => answer === undefined);
    return [...this.#open.values(), ...waiting].map(({ view }) => view);
  }

  /** An answer that is too late, or that was not offered, changes nothing. */
  answer(id: string, answer: ApprovalAnswer): void {
    const found = [...this.#open].find(([, { view }]) => view.id === id);
    if (!found) return this.#answerMissed(id, answer);
    const [key, { program, settle }] = found;
    if (answer === 'always') {
      if (program) settle({ kind: 'always', program });
      return;
    }
    if (answer === 'no') this.#remember(key);
    settle({ kind: answer });
  }

  #answerMissed(id: string, answer: ApprovalAnswer): void {
    const found = [...this.#missed].find(([, { view }]) => view.id === id);
    if (!found) return;
    const [key, { view, program }] = found;
    if (answer === 'no') {
      this.#remember(key);
      this.#missed.delete(key);
    } else if (answer === 'once') this.#missed.set(key, { view, program, answer: { kind: 'once' } });
    else if (program) this.#missed.set(key, { view, program, answer: { kind: 'always', program } });
    this.#options.onChange();
  }

  /** Nobody can answer any more. */
  close(): void {
    for (const { settle } of this.#open.values()) settle(no);
  }

  async #begin(key: string, question: UseQuestion): Promise<UseAnswer> {
    const { clock, notify, onChange } = this.#options;
    const { promise, resolve } = Promise.withResolvers<UseAnswer>();
    const stop = clock.after(useQuestions.deadline, () => {
      this.#miss(key, { view: { ...view, isMissed: true }, program });
      settle(no);
    });
    const settle = (answer: UseAnswer): void => {
      stop();
      if (this.#open.delete(key)) onChange();
      resolve(answer);
    };
    const who = identify(question);
    const { program } = who;
    const view = describe(question, who, clock.now() + useQuestions.deadline);
    this.#missed.delete(key);
    this.#open.set(key, { view, program, answer: promise, settle });
    onChange();
    const words = windowWords.programAsks;
    const body = view.isOwnWord ? words.stranger(view.program) : words.known(view.program);
    notify({ title: view.integration, body, integrationId: view.integrationId });
    return await promise;
  }

  #miss(key: string, missed: Missed): void {
    this.#missed.set(key, missed);
    const [oldest] = this.#missed.keys();
    if (oldest !== undefined && this.#missed.size > useQuestions.count) this.#missed.delete(oldest);
  }

  /** The oldest goes: a program that calls itself otherwise each time must not fill the memory. */
  #remember(key: string): void {
    this.#refused.add(key);
    const [oldest] = this.#refused;
    if (oldest !== undefined && this.#refused.size > useQuestions.remembered) this.#refused.delete(oldest);
  }
}

/** A program that Postern does not know counts by the name it gives itself and by who started it: no more is known. */
function keyOf({ entry, ownNames, parent, integration }: UseQuestion): string {
  return JSON.stringify([integration.id, entry ?? [ownNames[0], parent]]);
}

/** One identity: the name that is shown, and the program of the table whose rights it may get, which is called so. */
interface Identity {
  readonly name: string;
  readonly program: Open['program'];
}

/**
 * Only an app that Postern knows can be allowed for longer: it is then shown, and can be revoked, under Apps. One that
 * gives itself several names is that app only where each of them is its.
 */
function identify({ record, entry, ownNames, parent }: UseQuestion): Identity {
  if (record) return { name: displayText(record.name), program: { id: record.program, name: record.name } };
  const said = ownNames.map((each) => displayText(each, useQuestions.name)).filter((each) => each !== '');
  const [first, ...others] = said.map(findNamedProgram);
  if (first && others.every((other) => other === first))
    return { name: first.name, program: entry === undefined ? undefined : { id: first.id, name: first.name } };
  const [name = displayText(parent ?? '', useQuestions.name)] = said;
  return { name: displayText(writeOutConfusable(name), useQuestions.name), program: undefined };
}

function describe(
  { record, parent, integration }: UseQuestion,
  { name, program }: Identity,
  expiresAt: number,
): ApprovalView {
  const startedBy = displayText(writeOutConfusable(displayText(parent ?? '', useQuestions.name)), useQuestions.name);
  return {
    id: randomUUID(),
    program: name,
    isOwnWord: record === undefined,
    ...(startedBy !== '' && startedBy !== name && { startedBy }),
    integration: displayText(integration.name),
    integrationId: integration.id,
    canLast: program !== undefined,
    expiresAt,
    isMissed: false,
  };
}
