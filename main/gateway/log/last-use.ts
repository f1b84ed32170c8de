import type { ActivityCall } from '../../../shared/activity.ts';
import { noteUseEvery } from '../../../shared/activity-bounds.ts';
import { collectionReference } from '../../../shared/collection-name.ts';
import { type ProgramRecord, withWaiting } from '../../../shared/program-record.ts';
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
    const having = (await this.#ports.collections.list()).filter(({ members }) => members.includes(integration));
    const rights = new Set([integration, ...having.map(collectionReference)]);
    const isOn = await this.#ports.isOn();
    await this.#ports.programs.change((records) => {
      // A call does not say which of its rights let it through: each that could have counts.
      const isDue = (record: ProgramRecord): boolean =>
        record.program === program &&
        record.revokedAt === undefined &&
        record.integrations.some((right) => rights.has(right)) &&
        isOn &&
        isLater(at, record.lastUsedAt);
      // Its lines are there, where no other right can have let it through.
      const isPasted = (record: ProgramRecord): boolean => {
        const [only, ...others] = record.integrations.filter((right) => rights.has(right));
        const isWaiting = only !== undefined && record.waiting?.includes(only) === true;
        return record.program === program && record.revokedAt === undefined && others.length === 0 && isWaiting;
      };
      if (!records.some((record) => isDue(record) || isPasted(record))) return records;
      return records.map((record) => {
        const noted = isDue(record) ? { ...record, lastUsedAt: at } : record;
        return isPasted(record)
          ? withWaiting(
              noted,
              (noted.waiting ?? []).filter((right) => !rights.has(right)),
            )
          : noted;
      });
    });
  }
}

/** Long enough after; or before it, where the clock was set back. */
function isLater(at: number, noted: number | undefined): boolean {
  return noted === undefined || at - noted >= noteUseEvery || at < noted;
}
