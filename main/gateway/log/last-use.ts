import type { ActivityCall } from '../../../shared/activity.ts';
import { noteUseEvery } from '../../../shared/activity-bounds.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import type { ProgramRecords } from '../../gateway-ports.ts';

export interface LastUsePorts {
  readonly programs: Pick<ProgramRecords, 'change'>;
  /** Whether the person wants calls noted. */
  readonly isOn: () => Promise<boolean>;
}

/**
 * Notes in their records when programs used Postern last: after a call, and seldom, since the list is written for it.
 */
export class LastUse {
  readonly #ports: LastUsePorts;
  /** By program, the moment that was noted. */
  readonly #noted = new Map<string, number>();
  #writing: Promise<unknown> = Promise.resolve();

  constructor(ports: LastUsePorts) {
    this.#ports = ports;
  }

  /** Costs the call nothing: it is written later. */
  note({ at, program, integration, method }: Pick<ActivityCall, 'at' | 'program' | 'integration' | 'method'>): void {
    // A program that is merely open pings.
    if (program === undefined || integration === undefined || method === 'ping') return;
    if (!isLater(at, this.#noted.get(program))) return;
    this.#noted.set(program, at);
    const uses = (record: ProgramRecord): boolean =>
      record.program === program && record.revokedAt === undefined && record.integrations.includes(integration);
    this.#writing = this.#writing.then(() => this.#write(at, uses)).catch(() => {});
  }

  /** Resolves when what was noted is written, or cannot be. Never rejects. */
  async settle(): Promise<void> {
    await this.#writing;
  }

  async #write(at: number, uses: (record: ProgramRecord) => boolean): Promise<void> {
    if (!(await this.#ports.isOn())) return;
    await this.#ports.programs.change((records) => {
      const isDue = (record: ProgramRecord): boolean => uses(record) && isLater(at, record.lastUsedAt);
      if (!records.some(isDue)) return records;
      return records.map((record) => (isDue(record) ? { ...record, lastUsedAt: at } : record));
    });
  }
}

/** Long enough after; or before it, where the clock was set back. */
function isLater(at: number, noted: number | undefined): boolean {
  return noted === undefined || at - noted >= noteUseEvery || at < noted;
}
