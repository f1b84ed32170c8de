import type { ProgramRecord } from '../../../shared/program-record.ts';
import type { Settings } from '../../../shared/settings.ts';
import { displayText } from '../../address/display-text.ts';
import { displayNameLength } from '../../limits.ts';
import { PosternError } from '../../postern-error.ts';

type Record = Pick<ProgramRecord, 'program' | 'name'> | undefined;

/** Whom the person has paused: all programs, or single ones of the table. */
export class PausedPrograms {
  readonly #all: boolean;
  readonly #single: readonly string[];

  constructor({ programsPaused = false, pausedPrograms = [] }: Pick<Settings, 'programsPaused' | 'pausedPrograms'>) {
    this.#all = programsPaused;
    this.#single = pausedPrograms;
  }

  /** `record`: left out for a program that has none. */
  has(record: Record): boolean {
    return this.#all || (record !== undefined && this.#single.includes(record.program));
  }

  /** Lets a request of a program through. Errors: GATEWAY_PAUSED, PROGRAM_PAUSED. */
  admit(record: Record): void {
    if (this.#all) throw new PosternError('GATEWAY_PAUSED', { stage: 'gateway' });
    if (!record || !this.has(record)) return;
    const name = displayText(record.name, displayNameLength);
    throw new PosternError('PROGRAM_PAUSED', {
      stage: 'gateway',
      detail: { program: name },
      remedy: { kind: 'resume-program', name, program: record.program },
    });
  }
}
