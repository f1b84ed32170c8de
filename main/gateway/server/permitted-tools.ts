import type { Integration } from '../../../shared/integration.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import { type ChangedToolRule, type ToolPermissions } from '../../../shared/tool-permissions.ts';
import { withChangedToolRule } from '../../../shared/changed-tool-rule.ts';
import type { GatewayPorts } from '../gateway-around.ts';
import type { Catalogue } from '../messages/catalogue.ts';
import type { JsonObject } from '../messages/envelope.ts';
import { CallPermits } from '../permissions/call-permits.ts';
import { seenForm, SeenTools } from '../permissions/seen-tools.ts';
import type { SeenPage, UnseenTools } from '../permissions/seen-tools.ts';
import { KnownTools } from '../permissions/known-tools.ts';

interface PermittedToolsOptions extends Pick<GatewayPorts, 'clock' | 'askForCall' | 'pins' | 'store'> {
  readonly catalogue: Catalogue;
  readonly integration: () => Integration;
  readonly changedTools: () => ChangedToolRule | undefined;
  readonly onChange: (integration: Integration) => void;
}

/** The tools of one server: what it says of them, and what the person has allowed. */
export class PermittedTools {
  readonly #options: PermittedToolsOptions;
  readonly #known = new KnownTools();
  readonly #seen: SeenTools;
  /** Sessions that are told when the person has changed which tools may be called. */
  readonly #open = new Set<() => void>();

  constructor(options: PermittedToolsOptions) {
    this.#options = options;
    this.#seen = new SeenTools(options, options.integration);
  }

  get permissions(): ToolPermissions | undefined {
    return withChangedToolRule(this.integration.permissions, this.#options.changedTools());
  }

  get integration(): Integration {
    return this.#options.integration();
  }

  /**
   * Which of them one program may call in one session. `onChange` is told when the person has changed that, until the
   * session is over.
   */
  open(program: ProgramRecord | undefined, onChange: () => void): { permits: CallPermits; close: () => void } {
    const { clock, askForCall: ask } = this.#options;
    const permits = new CallPermits({ server: this, program, clock, ask });
    const changed = (): void => {
      permits.changed();
      onChange();
    };
    this.#open.add(changed);
    return { permits, close: () => void this.#open.delete(changed) };
  }

  /** The person has changed what holds. */
  changed(): void {
    this.#seen.forgetPins();
    for (const changed of this.#open) changed();
  }

  /** Nothing that the server said before counts. */
  forget(): void {
    this.#known.forget();
    this.#seen.forget();
  }

  /** Adds one tool to a page of `tools/list`. `raw`: as it came. */
  see({ name, annotations, ...more }: JsonObject, raw: Buffer, page: SeenPage): void {
    page.tools.push({ name, annotations });
    page.forms.push(...seenForm({ name, annotations, ...more }, raw));
  }

  /** Learns from such a page. Never rejects. */
  async learn(page: SeenPage): Promise<void> {
    this.#known.learn(page);
    await this.#seen.learn(page);
  }

  /** Those that the person has not looked at as they are now. Never rejects. */
  async unseen(): Promise<UnseenTools> {
    await this.#recall();
    return await this.#seen.unseen();
  }

  /** Whether the server says that a tool changes nothing; false where it is not known. */
  async readsOnly(tool: string): Promise<boolean> {
    await this.#recall();
    return this.#known.isReadOnly(tool);
  }

  /** What the server said to programs before, where it has not been asked since. */
  async #recall(): Promise<void> {
    if (!this.#known.isEmpty) return;
    for (const result of await this.#options.catalogue.resultsOf('tools/list')) {
      this.#known.learn(result);
      await this.#seen.recall(result);
    }
  }

  /** Keeps what the person has chosen. Errors: CFG_*. */
  async setPermissions(change: (before: ToolPermissions | undefined) => ToolPermissions | undefined): Promise<void> {
    const { store, onChange } = this.#options;
    const updated = await store.update(this.integration.id, ({ permissions, ...kept }) => {
      const changed = change(permissions);
      return { ...kept, ...(changed && { permissions: changed }) };
    });
    if (updated) onChange(updated);
  }
}
