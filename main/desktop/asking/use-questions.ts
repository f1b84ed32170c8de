import { randomUUID } from 'node:crypto';
import type { ApprovalAnswer, ApprovalView } from '../../../shared/approval-view.ts';
import { displayText } from '../../address/display-text.ts';
import type { AskForUse, UseAnswer, UseQuestion } from '../../gateway-ports.ts';
import { askedAgain, useQuestions } from '../../limits.ts';
import type { Clock } from '../../ports.ts';
import { findProgram } from '../../programs/table/table.ts';
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
    if (open) return await open.answer;
    const missed = this.#missed.get(key);
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
    const program = whichProgram(question);
    const view = describe(question, clock.now() + useQuestions.deadline, program !== undefined);
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

/**
 * Only a program that Postern knows can be allowed for longer: it is then shown, and can be revoked, under Programs.
 */
function whichProgram({ record, entry, ownNames }: UseQuestion): Open['program'] {
  if (record) return { id: record.program, name: record.name };
  if (entry === undefined) return undefined;
  for (const word of ownNames) {
    const program = findProgram(word);
    if (program) return { id: program.id, name: program.name };
  }
  return undefined;
}

function describe(
  { record, ownNames, parent, integration }: UseQuestion,
  expiresAt: number,
  canLast: boolean,
): ApprovalView {
  const [startedBy = '', ...said] = [parent ?? '', ...ownNames].map((each) => displayText(each, useQuestions.name));
  const name = record ? displayText(record.name) : [...said, startedBy].find((each) => each !== '');
  return {
    id: randomUUID(),
    program: name ?? '',
    isOwnWord: record === undefined,
    ...(startedBy !== '' && startedBy !== name && { startedBy }),
    integration: displayText(integration.name),
    integrationId: integration.id,
    canLast,
    expiresAt,
    isMissed: false,
  };
}
