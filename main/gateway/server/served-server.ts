import { createHash } from 'node:crypto';
import type { Integration } from '../../../shared/integration.ts';
import type { UnusablePart } from '../../../shared/mcp-view.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import { holdsChanges, withChangedToolRule } from '../../../shared/tool-permissions.ts';
import type { ChangedToolRule, ToolPermissions } from '../../../shared/tool-permissions.ts';
import { displayText } from '../../address/display-text.ts';
import type { EnginePorts } from '../../engine/engine-ports.ts';
import { integrationPolicy, storedAddress } from '../../engine/kept/integration-policy.ts';
import { noteUse } from '../../engine/kept/kept-failure.ts';
import { credentialSource } from '../../engine/use/credential-source.ts';
import { localConnection } from '../../engine/use/local-connection.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { fairTurn } from '../../fair-turn.ts';
import type { CatalogueStore } from '../../gateway-ports.ts';
import { displayNameLength, gatewayMessage, mostUnusableParts } from '../../limits.ts';
import type { McpFetch } from '../../mcp/http/mcp-endpoint.ts';
import { createMcpFetch } from '../../mcp/http/mcp-fetch.ts';
import type { CredentialSource } from '../../mcp/http/mcp-fetch.ts';
import { withOlderRevisions } from '../../mcp/http/older-revisions.ts';
import { eitherTransport } from '../../mcp/sse/old-transport.ts';
import type { StdioTransport } from '../../mcp/stdio/stdio-transport.ts';
import type { Refusal } from '../answers/answers.ts';
import { judgeFailure } from '../answers/judge-failure.ts';
import type { Judgement } from '../answers/judge-failure.ts';
import { personalFailure } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { Catalogue } from '../messages/catalogue.ts';
import type { JsonObject } from '../messages/envelope.ts';
import { ParameterHeaders } from '../messages/parameter-headers.ts';
import { CallPermits } from '../permissions/call-permits.ts';
import { KnownTools, seenForm, SeenTools } from '../permissions/seen-tools.ts';
import type { SeenPage, UnseenTools } from '../permissions/seen-tools.ts';
import { resultWithoutTools, toolsIn } from '../permissions/without-tools.ts';
import { OwnRequests } from './own-requests.ts';

export type ServedPorts = EnginePorts &
  Pick<GatewayPorts, 'onNeed' | 'user' | 'command'> & {
    /** What becomes of changed tools, where a server has no choice of its own. */
    readonly changedTools: () => ChangedToolRule | undefined;
  };

/** An answer to what was not asked, or is answered: of the server, or of the program; or a list that is too long. */
export type Misfit = 'server-answer' | 'program-answer' | 'long-listing';

/** The way to a server, for one session. */
export interface WayToServer {
  readonly fetch: McpFetch;
  /** Nothing is sent any more. Never rejects. */
  close(): Promise<void>;
}

/** One integration as all sessions share it: its credential and one renewal of it, what it last said of itself. */
export class ServedServer {
  readonly catalogue: Catalogue;
  readonly parameters = new ParameterHeaders();
  readonly own: OwnRequests;
  readonly tools: PermittedTools;
  /** Resolves when what programs found of it is in the list, or cannot be. */
  noted = Promise.resolve();
  readonly #ports: ServedPorts;
  readonly #end: AbortSignal;
  #integration: Integration;
  #permitted: string;
  #credentials: CredentialSource;
  #isGone = false;
  #isNewerAlone = false;
  /** Noted in the log. */
  readonly #unusable = new Set<string>();
  readonly #running = new Set<StdioTransport>();

  constructor(ports: ServedPorts, store: CatalogueStore, integration: Integration, end: AbortSignal) {
    this.#ports = ports;
    this.#end = end;
    this.#integration = integration;
    this.#permitted = permittedBy(integration, ports.changedTools());
    this.#credentials = credentialSource(ports, integration, end);
    this.own = new OwnRequests(ports.random);
    this.catalogue = new Catalogue(integration.id, store, () => listOwnerOf(this.#integration));
    this.tools = new PermittedTools({
      ...ports,
      catalogue: this.catalogue,
      integration: () => this.#integration,
      onChange: (changed) => (this.#integration = changed),
    });
  }

  get integration(): Integration {
    return this.#integration;
  }

  /** Host and port of its address. */
  get host(): string {
    return new URL(storedAddress(this.#integration)).host;
  }

  /** Takes what the list says now. Answers whether the sign-in is another one: then the server may answer again. */
  update(integration: Integration | undefined): boolean {
    this.#isGone = integration === undefined;
    if (!integration) {
      this.#endProcesses();
      return false;
    }
    const before = signInOf(this.#integration);
    const owner = listOwnerOf(this.#integration);
    this.#integration = integration;
    if (owner !== listOwnerOf(integration)) this.#forgetLists();
    const permitted = permittedBy(integration, this.#ports.changedTools());
    if (permitted !== this.#permitted) this.tools.changed();
    this.#permitted = permitted;
    if (before === signInOf(integration)) return false;
    this.#credentials = credentialSource(this.#ports, integration, this.#end);
    this.#endProcesses();
    return true;
  }

  /**
   * Learns from one page of `tools/list`, in slices; `answer`: as it came, of a length that is bounded. Answers its
   * `nextCursor`. Never rejects.
   */
  async learnTools(answer: Buffer): Promise<unknown> {
    const { nextCursor } = await resultWithoutTools(answer);
    const seen: SeenPage = { tools: [], forms: [], isLast: typeof nextCursor !== 'string' };
    for await (const [tool, raw] of toolsIn(answer)) {
      this.parameters.learn(tool);
      this.tools.see(tool, raw, seen);
      await fairTurn();
    }
    this.parameters.isKnown = true;
    await this.tools.learn(seen);
    return nextCursor;
  }

  /** What the server said to another account is neither told nor gone by any more. */
  #forgetLists(): void {
    this.catalogue.forget();
    this.parameters.forget();
    this.tools.forget();
  }

  get isLocal(): boolean {
    return this.#integration.command !== undefined;
  }

  /** Sends with the credential of the integration, or to a process of its own, for one session. */
  openWay(): WayToServer {
    return this.isLocal ? this.#openProcess() : { fetch: withOlderRevisions(this.#openFetch()), close: async () => {} };
  }

  #openProcess(): WayToServer {
    const way = localConnection(this.#ports, () => {
      const { id, command } = this.#integration;
      if (this.#isGone || !command) throw new PosternError('NOT_FOUND', { stage: 'gateway', detail: { count: 0 } });
      return { id, command };
    });
    this.#running.add(way);
    return {
      fetch: withOlderRevisions(way.fetch),
      close: async () => {
        this.#running.delete(way);
        await way.close();
      },
    };
  }

  /** What ran is not what is to run now: whoever needs it begins anew. */
  #endProcesses(): void {
    for (const way of this.#running) void way.restart();
  }

  #openFetch(): McpFetch {
    const { http, clock } = this.#ports;
    const current: CredentialSource = {
      current: async () => {
        if (this.#isGone) throw new PosternError('NOT_FOUND', { stage: 'gateway', detail: { count: 0 } });
        return await this.#credentials.current();
      },
      renew: (refused, doubt) => this.#credentials.renew(refused, doubt),
      accepted: async (credential) => await this.#credentials.accepted?.(credential),
    };
    const { url, options, era } = this.#integration;
    const { deadline, size, stream } = gatewayMessage;
    const fetch = createMcpFetch({
      http,
      clock,
      policy: integrationPolicy(url, options),
      credentials: current,
      bounds: { deadline, limits: { message: size, stream } },
    });
    if (era !== undefined && era !== 'sse') return fetch;
    const known = era === 'sse' ? 'old' : 'unknown';
    const onTransport = (spoken: 'old' | 'newer'): void => {
      if (spoken === 'old' || known === 'old') void this.noteEra(spoken === 'old' ? 'sse' : 'legacy');
    };
    return eitherTransport({ fetch, clock, known, onTransport }).fetch;
  }

  /** What is now said to this program of a failure; the window hears of it where only the person can help. */
  refuse(program: string | undefined, thrown: unknown): Refusal {
    const failure = personalFailure(this.#integration, thrown);
    const name = displayText(program ?? 'A program', displayNameLength);
    if (failure) this.#ports.onNeed?.({ integration: this.#integration, program: name, ...failure });
    if (thrown instanceof PosternError) this.noteUse(thrown);
    return this.judge(thrown).refusal;
  }

  /** Notes that a program could use it, or why not. */
  noteUse(failure?: PosternError): void {
    this.noted = this.noted.then(() => noteUse(this.#ports, this.#integration, failure));
  }

  judge(thrown: unknown): Judgement {
    return judgeFailure(this.#integration, thrown, this.#ports.command);
  }

  /** Whether it has refused a handshake, and said that it speaks the newer wire alone. */
  get isNewerAlone(): boolean {
    return this.#integration.era === 'modern' && this.#isNewerAlone;
  }

  noteNewerAlone(): void {
    this.#isNewerAlone = true;
  }

  /** Notes in the log what came in a session and does not fit where it stands; that changes nothing. */
  noteMisfit(type: Misfit): void {
    this.#ports.log.write('session-event-ignored', { integration: this.#integration.id, type });
  }

  /** Notes in the log, once, what nobody can use of a list or result of the server: no word of the server's own. */
  readonly noteUnusable = ({ list, index, member }: UnusablePart): void => {
    // Of a schema the path has names of the server's.
    const [named] = member?.split('.') ?? [];
    const key = `${list} ${index} ${named}`;
    if (this.#unusable.has(key) || this.#unusable.size >= mostUnusableParts) return;
    this.#unusable.add(key);
    this.#ports.log.write('element-unusable', { integration: this.#integration.id, type: list, index, member: named });
  };

  /** Notes which wire the server speaks, as far as that is news. Never rejects. */
  async noteEra(era: NonNullable<Integration['era']>): Promise<void> {
    if (this.#integration.era === era) return;
    const changed = this.#ports.store.update(this.#integration.id, (kept) => ({ ...kept, era }));
    const updated = await changed.catch(() => undefined);
    if (updated) this.#integration = updated;
  }
}

interface PermittedToolsOptions extends Pick<GatewayPorts, 'clock' | 'user' | 'pins' | 'store'> {
  readonly catalogue: Catalogue;
  readonly integration: () => Integration;
  readonly changedTools: () => ChangedToolRule | undefined;
  readonly onChange: (integration: Integration) => void;
}

/** The tools of one server: what it says of them, and what the person has allowed. */
class PermittedTools {
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
    const { clock, user } = this.#options;
    const permits = new CallPermits({ server: this, program, clock, ask: user.allowCall });
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

/** What the person has said of its tools, and `forAll` of those that change. */
function permittedBy({ permissions: own, toolReview }: Integration, forAll: ChangedToolRule | undefined): string {
  const permissions = withChangedToolRule(own, forAll);
  return JSON.stringify([permissions, holdsChanges(permissions) && toolReview?.reviewedAt]);
}

/** What a sign-in is told apart by; who shares a process is none of it, and holds for those that start later. */
function signInOf(integration: Integration): string {
  return JSON.stringify([integration.state, accessOf(integration)]);
}

/**
 * Whose lists a server has: another sign-in, key, address or command may see other ones. One that has expired is the same
 * one, as far as anybody knows; `undefined`: signed out.
 */
function listOwnerOf(integration: Integration): string | undefined {
  if (integration.state === 'signedOut') return undefined;
  const access = JSON.stringify([integration.allowedCommand, accessOf(integration)]);
  return createHash('sha256').update(access).digest('hex');
}

function accessOf(integration: Integration): readonly unknown[] {
  const { url, command, issuerKey, method, account, signedInAt, keySavedAt, options } = integration;
  const runs = command && { ...command, lifetime: undefined };
  return [url, runs, issuerKey, method, account, signedInAt, keySavedAt, options];
}
