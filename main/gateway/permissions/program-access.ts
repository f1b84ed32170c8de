import { createHash, timingSafeEqual } from 'node:crypto';
import { dropUndefined } from '../../../shared/drop-undefined.ts';
import type { Integration } from '../../../shared/integration.ts';
import { programRecordSchema } from '../../../shared/program-record.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import type { Settings } from '../../../shared/settings.ts';
import { displayText } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { AppUser, ProgramRecords, UseQuestion } from '../../gateway-ports.ts';
import { displayNameLength } from '../../limits.ts';
import type { Clock } from '../../ports.ts';
import { isObject } from '../messages/envelope.ts';
import type { RequestEnvelope } from '../messages/envelope.ts';

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

interface AskingPorts {
  readonly programs: ProgramRecords;
  readonly clock: Pick<Clock, 'now'>;
  readonly allowUnknown?: boolean;
  readonly user: AppUser;
}

/** How a program was let in. */
export interface Admitted {
  readonly program: ProgramRecord | undefined;
  /** For this session alone. */
  readonly isOnce: boolean;
}

/** Whether a person may be asked for this program. One that was revoked asks nobody. */
export function canAsk(
  { user, allowUnknown }: Pick<AskingPorts, 'user' | 'allowUnknown'>,
  record: ProgramRecord | undefined,
  { id }: Pick<Integration, 'id'>,
): boolean {
  return user.allowUse !== undefined && !allowUnknown && record?.revokedAt === undefined && !mayUse(record, id);
}

/** Lets a program in as the person says. Errors: PROGRAM_UNKNOWN also where nobody answers, PROGRAM_REVOKED, CFG_*. */
export async function askForUse({ programs, clock, user }: AskingPorts, question: UseQuestion): Promise<Admitted> {
  const { entry, integration } = question;
  const answer = (await user.allowUse?.(question)) ?? { kind: 'no' };
  const records =
    answer.kind === 'always'
      ? await programs.change((before) => withUse(before, { entry, integration, program: answer.program, clock }))
      : await programs.list();
  // It may have been revoked meanwhile.
  const isOnce = answer.kind === 'once';
  return { program: admit(findById(records, entry), integration, { allowUnknown: isOnce }), isOnce };
}

/** What the program says it is, in the order in which it is believed. */
export function ownNamesOf({ params }: RequestEnvelope): readonly string[] {
  const { _meta } = params;
  const info = params['clientInfo'] ?? (isObject(_meta) ? _meta['io.modelcontextprotocol/clientInfo'] : undefined);
  if (!isObject(info)) return [];
  return [info['title'], info['name']].filter((name) => typeof name === 'string');
}

function withUse(
  records: readonly ProgramRecord[],
  {
    entry,
    integration,
    program,
    clock,
  }: Pick<UseQuestion, 'entry' | 'integration'> & {
    readonly program: { readonly id: string; readonly name: string };
    readonly clock: Pick<Clock, 'now'>;
  },
): readonly ProgramRecord[] {
  if (entry === undefined) return records;
  const known = findById(records, entry);
  // Another one meanwhile: what was shown is what is granted.
  if (known && known.program !== program.id) return records;
  if (!known) {
    const made = { id: entry, program: program.id, name: program.name, createdAt: clock.now() };
    return [...records, { ...made, integrations: [integration.id] }];
  }
  return records.map((record) =>
    record.id === entry && !record.integrations.includes(integration.id)
      ? { ...record, integrations: [...record.integrations, integration.id] }
      : record,
  );
}
