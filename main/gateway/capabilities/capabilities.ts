import type { Integration } from '../../../shared/integration.ts';
import type { AppRecord } from '../../../shared/app-record.ts';
import {
  changePermissions,
  decideTool,
  holdsChanges,
  isExposed,
  isRestricted,
  permissionBounds,
} from '../../../shared/tool-permissions.ts';
import type { RuledTool, ToolPermissions, ToolRule } from '../../../shared/tool-permissions.ts';
import { displayText } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { AskForCall } from '../../gateway-ports.ts';
import { callConfirmations } from '../../limits.ts';
import { encodeValue, nameOf } from '../../mcp/messages/message-headers.ts';
import type { Clock } from '../../ports.ts';
import { notificationText } from '../responses/responses.ts';
import { isObject } from '../messages/envelope.ts';
import type { Envelope, RequestEnvelope } from '../messages/envelope.ts';
import { isAmbiguous, isAmbiguousInTurn } from './ambiguous-message.ts';
import { isListing, methodRuleOf, withoutEntries } from './method-rules.ts';
import { isReadOnlyTool } from './seen-tools.ts';
import type { UnreviewedTools } from './seen-tools.ts';
import { withoutTools } from './without-tools.ts';

interface CapabilitiesOptions {
  readonly server: PermissionSource;
  readonly app: AppRecord | undefined;
  readonly clock: Pick<Clock, 'after'>;
  /** Absent if there is no window. */
  readonly ask: AskForCall | undefined;
}

/** What one app may see and call of one server, in one session. */
export class Capabilities {
  readonly #options: CapabilitiesOptions;
  /** Tools that the user has allowed for this session. */
  readonly #allowed = new Set<string>();
  /** Counts permission changes, so that a call that was allowed is checked again before it is sent. */
  #changes = 0;
  /** Calls that wait for the user, with their tool: a decision on one of them can settle others. */
  readonly #waiting = new Map<AbortController, string>();

  constructor(options: CapabilitiesOptions) {
    this.#options = options;
  }

  /**
   * Whether to block this message: the server might read a different call in it, or run a call without a response.
   * `judged`: whether the message is ambiguous, if known.
   */
  refuses(message: Envelope, fields: Fields = {}, judged?: boolean): boolean {
    if (message.kind === 'unusable' || !this.#isRestricted) return false;
    if (message.kind === 'request' && contradictsHeaders(message, fields)) return true;
    const isUnnamed = message.kind === 'notification' && !message.method.startsWith('notifications/');
    return isUnnamed || (judged ?? isAmbiguous(message.bytes));
  }

  /** Checks a long message for ambiguity, for `refuses`; `undefined`: short, or it does not matter. */
  async detectAmbiguity(bytes: Buffer): Promise<boolean | undefined> {
    return this.#isRestricted ? await isAmbiguousInTurn(bytes) : undefined;
  }

  /** Of the header fields that repeat arguments, those that match the body: what was checked is what runs. */
  matchingFields(fields: Fields, names: readonly string[], expected: Fields): readonly string[] {
    return this.#isRestricted ? names.filter((name) => fields[name] === expected[name]) : names;
  }

  /** A response to this request, as the app may see it. Never rejects. */
  async filterResponse(request: Pick<RequestEnvelope, 'method' | 'params'>, response: Buffer): Promise<Buffer> {
    if (!this.#isRestricted) return response;
    const { method } = request;
    if (isListing(method) && !this.#exposes(request)) return withoutEntries(method, response);
    if (method !== 'tools/list') return response;
    const unreviewed = await this.#unreviewed();
    return withoutTools(response, (tool, raw) => {
      const name = tool['name'];
      if (typeof name !== 'string') return false;
      return (
        this.#decide({ name, readOnly: isReadOnlyTool(tool) }) === 'deny' || unreviewed?.inList(tool, raw) === true
      );
    });
  }

  /**
   * Lets a request through; a call may wait for the user. Errors: TOOL_DENIED, CAPABILITY_DENIED, TOOL_CHANGED,
   * APPROVAL_*, CFG_*.
   */
  async admit(request: RequestEnvelope, waiting: Waiting): Promise<void> {
    if (!this.#isRestricted) return;
    if (!isListing(request.method) && !this.#exposes(request)) throw this.#denied('CAPABILITY_DENIED', request);
    if (request.method !== 'tools/call') return;
    const { name } = request.params;
    if (typeof name !== 'string') throw this.#denied('TOOL_DENIED');
    const stop = reportProgress(this.#options.clock, request, waiting);
    try {
      while (!(await this.#tryAdmit(name, request, waiting)));
    } finally {
      stop();
    }
  }

  /**
   * Returns a function that reports whether permissions have changed since: a call that was allowed may be denied
   * now.
   */
  watchChanges(): () => boolean {
    const before = this.#changes;
    return () => this.#changes !== before;
  }

  /** The user has changed the permissions. */
  changed(): void {
    this.#changes += 1;
    this.#allowed.clear();
    for (const waiting of this.#waiting.keys()) waiting.abort();
  }

  get #isRestricted(): boolean {
    return isRestricted(this.#options.server.permissions, this.#options.app?.app);
  }

  /** Whether the call may continue; false if permissions changed meanwhile. Errors: as of `admit`. */
  async #tryAdmit(name: string, request: RequestEnvelope, { signal, isContinuation }: Waiting): Promise<boolean> {
    const { server, app, ask } = this.#options;
    const readOnly = await server.readsOnly(name);
    const rule = this.#decide({ name, readOnly });
    const refused = { stage: 'gateway', detail: { tool: displayText(name) } } as const;
    if (rule === 'deny') throw this.#denied('TOOL_DENIED', name);
    if ((await this.#unreviewed())?.called(name)) throw new PosternError('TOOL_CHANGED', refused);
    if (rule === 'allow' || isContinuation === true || this.#allowed.has(name)) return true;
    if (!ask) throw new PosternError('APPROVAL_IMPOSSIBLE', refused);
    const changed = new AbortController();
    this.#waiting.set(changed, name);
    const { id, name: serverName } = server.integration;
    const answer = await ask({
      app,
      integration: { id, name: serverName },
      tool: name,
      readOnly,
      input: request.params['arguments'],
      canLast: app !== undefined && name.length <= permissionBounds.tool,
      signal: AbortSignal.any([signal, changed.signal]),
    }).finally(() => this.#waiting.delete(changed));
    signal.throwIfAborted();
    if (changed.signal.aborted) return false;
    switch (answer) {
      case 'no':
        throw new PosternError('APPROVAL_REFUSED', refused);
      case 'missed':
        throw new PosternError('APPROVAL_TIMEOUT', refused);
      case 'always':
        await this.#allowAlways(name);
        break;
      case 'session':
        this.#allowed.add(name);
        break;
      case 'once':
        return true;
    }
    for (const [waiting, tool] of this.#waiting) if (tool === name) waiting.abort();
    return true;
  }

  /** New and changed tools, if those are blocked until the user reviews them. */
  async #unreviewed(): Promise<UnreviewedTools | undefined> {
    const { server } = this.#options;
    return holdsChanges(server.permissions) ? await server.unreviewed() : undefined;
  }

  async #allowAlways(tool: string): Promise<void> {
    const { server, app } = this.#options;
    if (app === undefined) return;
    await server.setPermissions((before) => changePermissions(before, { app: app.app, tool, rule: 'allow' }));
  }

  #decide(tool: RuledTool): ToolRule {
    return decideTool(this.#options.server.permissions, this.#options.app?.app, tool);
  }

  /** Whether the request is about something that the app may use. */
  #exposes(request: Pick<RequestEnvelope, 'method' | 'params'>): boolean {
    const rule = methodRuleOf(request);
    if (rule === 'open' || rule === 'tools') return true;
    const { server, app } = this.#options;
    return rule !== 'unnamed' && isExposed(server.permissions, app?.app, rule);
  }

  #denied(code: 'TOOL_DENIED' | 'CAPABILITY_DENIED', about?: string | RequestEnvelope): PosternError {
    const { app } = this.#options;
    const isUnnamed = typeof about === 'object' && methodRuleOf(about) === 'unnamed';
    return new PosternError(code, {
      stage: 'gateway',
      detail: {
        ...(app && { app: displayText(app.name) }),
        ...(typeof about === 'string' && { tool: displayText(about) }),
        ...(isUnnamed && { method: displayText(about.method) }),
      },
    });
  }
}

/** Permissions and tools of the server that the calls go to. */
interface PermissionSource {
  readonly integration: Integration;
  /** What the user has set for this server, or for all servers. */
  readonly permissions: ToolPermissions | undefined;
  /** Whether the server marks this tool as read-only, if known. */
  readonly readsOnly: (tool: string) => Promise<boolean>;
  /** Tools that the user has not reviewed in their current form. Never rejects. */
  readonly unreviewed: () => Promise<UnreviewedTools>;
  /** Saves what the user has chosen. Errors: CFG_*. */
  readonly setPermissions: (
    change: (before: ToolPermissions | undefined) => ToolPermissions | undefined,
  ) => Promise<void>;
}

interface Waiting {
  /** Aborts when nobody waits for the call any more. */
  readonly signal: AbortSignal;
  /** The user has already decided on this call. */
  readonly isContinuation?: boolean;
  /** Sends the app a progress notification. */
  readonly notify: (notification: string) => void;
}

/**
 * Reports progress while a call waits, since that can extend an app's timeout (MCP 2025-11-25, timeouts). Returns a
 * function that stops it.
 */
function reportProgress(clock: Pick<Clock, 'after'>, { params }: RequestEnvelope, { notify }: Waiting): () => void {
  const { _meta } = params;
  const progressToken = isObject(_meta) ? _meta['progressToken'] : undefined;
  if (progressToken === undefined) return () => {};
  let stop: () => void;
  let progress = 0;
  const later = (): void => {
    stop = clock.after(callConfirmations.progressInterval, () => {
      // Progress must increase, so stay below whatever the tool starts with.
      progress += 1e-6;
      const message = 'Waiting for the user to allow this in Postern.';
      notify(notificationText('notifications/progress', { progressToken, progress, message }));
      later();
    });
  };
  later();
  return () => stop();
}

/** HTTP header fields of a request, names in lower case. */
type Fields = Readonly<Record<string, string | undefined>>;

/**
 * Whether the header fields name another method, tool, prompt or resource than the body (MCP 2026-07-28, streamable
 * HTTP): the server might go by one and Postern by the other.
 */
export function contradictsHeaders({ method, params }: RequestEnvelope, fields: Fields): boolean {
  const { 'mcp-method': ofMethod, 'mcp-name': ofName } = fields;
  if (ofMethod !== undefined && ofMethod !== method) return true;
  const name = nameOf(method, params);
  return ofName !== undefined && typeof name === 'string' && ofName !== name && ofName !== encodeValue(name);
}
