import type { Integration } from '../../../shared/integration.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { GatewayPorts } from '../gateway-around.ts';

interface Known {
  readonly list: readonly Integration[];
  readonly records: readonly ProgramRecord[];
  readonly settings: Settings;
}

/** What the settings file tells the gateway, whichever process wrote it. */
export class KnownList {
  readonly #ports: Pick<GatewayPorts, 'store' | 'programs' | 'catalogue'>;
  #begun = 0;
  #newest = 0;
  /** What becomes of changed tools, where a server has no choice of its own. */
  changedTools: Settings['changedTools'];

  constructor(ports: Pick<GatewayPorts, 'store' | 'programs' | 'catalogue'>) {
    this.#ports = ports;
  }

  /** Nothing where it cannot be read, or where a reading that began later was faster and knows more. Never rejects. */
  async read(): Promise<Partial<Known>> {
    const { store, programs } = this.#ports;
    const own = (this.#begun += 1);
    try {
      const [list, records, settings] = await Promise.all([store.list(), programs.list(), store.settings()]);
      if (own < this.#newest) return {};
      this.#newest = own;
      this.changedTools = settings.changedTools;
      return { list, records, settings };
    } catch {
      return {};
    }
  }

  /**
   * Forgets what other servers said of themselves than those of this `list`, and those that can still come back, as far
   * as all of them can be known. Never rejects.
   */
  async forgetOthers(list: readonly Integration[]): Promise<void> {
    const { store, catalogue } = this.#ports;
    try {
      const leaving = (await store.pendingDeletions()).map(({ integration }) => integration);
      // Read again: one may have come back meanwhile.
      const all = [...list, ...leaving, ...(await store.list())];
      if (await store.listIsWhole()) await catalogue.retain(new Set(all.map(({ id }) => id)));
    } catch {
      // Next time.
    }
  }
}
