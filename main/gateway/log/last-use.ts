import type { ActivityCall } from '../../../shared/activity.ts';
import { noteUseEvery } from '../../../shared/activity-bounds.ts';
import { collectionReference } from '../../../shared/collection-name.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import type { Collections, ProgramRecords } from '../../gateway-ports.ts';

export interface LastUsePorts {
  readonly programs: Pick<ProgramRecords, 'change'>;
  readonly collections: Pick<Collections, 'list'>;
  /** Whether the person wants calls noted. */
  readonly isOn: () => Promise<boolean>;
}

/**
 * Notes in their records when programs used Postern last: after a call, and seldom, since the list is written for it.
 */
export class LastUse {
  readonly #ports: LastUsePorts;
  /** By program and server, the moment that was noted. */
  readonly #noted = new Map<string, number>();
  #writing: Promise<unknown> = Promise.resolve();

  constructor(ports: LastUsePorts) {
    this.#ports = ports;
  }

  /** Costs the call nothing: it is written later. */
  note({ at, program, integration, method }: Pick<ActivityCall, 'at' | 'program' | 'integration' | 'method'>): void {
    // A program that is merely open pings.
    if (program === undefined || integration === undefined || method === 'ping') return;
    const use = `${program} ${integration}`;
    if (!isLater(at, this.#noted.get(use))) return;
    this.#noted.set(use, at);
    this.#writing = this.#writing.then(() => this.#write(at, program, integration)).catch(() => {});
  }

  /** Resolves when what was noted is written, or cannot be. Never rejects. */
  async settle(): Promise<void> {
    await this.#writing;
  }

  async #write(at: number, program: string, integration: string): Promise<void> {
    if (!(await this.#ports.isOn())) return;
    // A call does not say which of its rights let it through: each that could have counts.
    const having = (await this.#ports.collections.list()).filter(({ members }) => members.includes(integration));
    const rights = new Set([integration, ...having.map(collectionReference)]);
    await this.#ports.programs.change((records) => {
      const isDue = (record: ProgramRecord): boolean =>
        record.program === program &&
        record.revokedAt === undefined &&
        record.integrations.some((right) => rights.has(right)) &&
        isLater(at, record.lastUsedAt);
      if (!records.some(isDue)) return records;
      return records.map((record) => (isDue(record) ? { ...record, lastUsedAt: at } : record));
    });
  }
}

/** Long enough after; or before it, where the clock was set back. */
function isLater(at: number, noted: number | undefined): boolean {
  return noted === undefined || at - noted >= noteUseEvery || at < noted;
}
