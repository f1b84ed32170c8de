import { createHash, timingSafeEqual } from 'node:crypto';
import { dropUndefined } from '../../../shared/drop-undefined.ts';
import type { Integration } from '../../../shared/integration.ts';
import { programRecordSchema } from '../../../shared/program-record.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import type { Settings } from '../../../shared/settings.ts';
import { displayText } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { displayNameLength } from '../../limits.ts';

/** Whether this program may use that integration now. */
export function mayUse(record: ProgramRecord | undefined, integration: string): boolean {
  return record !== undefined && record.revokedAt === undefined && record.integrations.includes(integration);
}

/** Whether a session that was let in goes on. `isOnce`: for it alone. */
export function mayGoOn(record: ProgramRecord | undefined, integration: string, isOnce: boolean): boolean {
  return isOnce ? record !== undefined && record.revokedAt === undefined : mayUse(record, integration);
}

/** Whether an entry that shows this id can be known again by it. */
export function isRecordId(id: string): boolean {
  return programRecordSchema.shape.id.safeParse(id).success;
}

export function findById(records: readonly ProgramRecord[], id: string | undefined): ProgramRecord | undefined {
  return id === undefined ? undefined : records.find((record) => record.id === id);
}

/** Whose secret this is; compared by its hash, in a time that says nothing of it. */
export function findBySecret(records: readonly ProgramRecord[], secret: string): ProgramRecord | undefined {
  const shown = createHash('sha256').update(secret).digest();
  return records.find(({ secretHash = '', revokedAt }) => {
    const kept = Buffer.from(secretHash, 'hex');
    return revokedAt === undefined && kept.length === shown.length && timingSafeEqual(kept, shown);
  });
}

/** The program as it may use the integration. Errors: PROGRAM_UNKNOWN, PROGRAM_REVOKED. */
export function admit(
  record: ProgramRecord | undefined,
  { id, name }: Pick<Integration, 'id' | 'name'>,
  { allowUnknown }: { readonly allowUnknown: boolean },
): ProgramRecord | undefined {
  const detail = dropUndefined({ name: displayText(name), program: record && displayText(record.name) });
  if (record?.revokedAt !== undefined) throw new PosternError('PROGRAM_REVOKED', { stage: 'gateway', detail });
  if (!allowUnknown && !mayUse(record, id)) throw new PosternError('PROGRAM_UNKNOWN', { stage: 'gateway', detail });
  return record;
}

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
