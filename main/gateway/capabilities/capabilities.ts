// Enforces permissions: what one app may see and call on one server.

import type { AppRecord } from '../../../shared/app-record.ts';
import {
  changePermissions,
  decideTool,
  holdsChanges,
  isExposed,
  isRestricted,
  permissionBounds,
} from '../../../shared/tool-permissions.ts';
import type { RuledTool, ToolRule } from '../../../shared/tool-permissions.ts';
import { displayText } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { AskForCall } from '../../gateway-ports.ts';
import { callConfirmations, gatewaySession } from '../../limits.ts';
import { encodeValue, mcpNameOf } from '../../mcp/messages/message-headers.ts';
import type { Clock } from '../../ports.ts';
import { notificationText } from '../responses/responses.ts';
import { progressTokenOf } from '../messages/envelope.ts';
import type { Envelope, RequestEnvelope } from '../messages/envelope.ts';
import { isAmbiguous, isAmbiguousInSlices } from './ambiguous-message.ts';
import { isListing, methodRuleOf, withoutEntries } from './method-rules.ts';
import { isReadOnlyTool } from './server-tools.ts';
import type { ServerTools, UnreviewedTools } from './server-tools.ts';
import { withoutTools } from './filter-tools.ts';

interface CapabilitiesOptions {
  /** Permissions and tools of the server that the calls go to. */
  readonly server: Pick<
    ServerTools,
    'integration' | 'permissions' | 'isReadOnly' | 'isListed' | 'listOnce' | 'unreviewed' | 'setPermissions'
  >;
  readonly app: AppRecord | undefined;
  readonly clock: Pick<Clock, 'after'>;
  /** Absent if there is no window. */
  readonly askUser: AskForCall | undefined;
}

/** What one app may see and call of one server, in one session. */
export class Capabilities {
  readonly #options: CapabilitiesOptions;
  /** Tools that the user has allowed for this session. */
  readonly #allowed = new Set<string>();
  /** Counts permission changes, so that a call that was allowed is checked again before it is sent. */
  #changes = 0;
  /** Calls that wait for the user, with their tool: one decision can apply to several calls. */
  readonly #awaitingUser = new Map<AbortController, string>();

  constructor(options: CapabilitiesOptions) {
    this.#options = options;
  }

  /**
   * Whether to block this message, because the server might read it as a different call, or run a call without a
   * response. `knownAmbiguous`: the result of `detectAmbiguity`.
   */
  mustBlock(message: Envelope, fields: Fields = {}, knownAmbiguous?: boolean): boolean {
    if (message.kind === 'unusable' || !this.#isRestricted) return false;
    if (message.kind === 'request' && contradictsHeaders(message, fields)) return true;
    const isUnnamed = message.kind === 'notification' && !message.method.startsWith('notifications/');
    return isUnnamed || (knownAmbiguous ?? isAmbiguous(message.bytes));
  }

  /** Checks a long message for ambiguity, for `mustBlock`; `undefined`: short, or not needed. */
  async detectAmbiguity(bytes: Buffer): Promise<boolean | undefined> {
    return this.#isRestricted ? await isAmbiguousInSlices(bytes) : undefined;
  }

  /** The argument header fields that match the body, so that the server runs what was checked. */
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
        this.#decide({ name, readOnly: isReadOnlyTool(tool) }) === 'deny' || unreviewed?.hasEntry(tool, raw) === true
      );
    });
  }

  /**
   * Throws if the request is denied; a call may wait for the user. Errors: TOOL_DENIED, CAPABILITY_DENIED,
   * TOOL_CHANGED, APPROVAL_*, CFG_*.
   */
  async admit(request: RequestEnvelope, waiting: AdmitOptions): Promise<void> {
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
   * Returns a function that reports whether permissions have changed since, so that an allowed call may now be denied.
   */
  watchChanges(): () => boolean {
    const before = this.#changes;
    return () => this.#changes !== before;
  }

  /** Call when the user has changed the permissions. */
  permissionsChanged(): void {
    this.#changes += 1;
    this.#allowed.clear();
    for (const waiting of this.#awaitingUser.keys()) waiting.abort();
  }

  get #isRestricted(): boolean {
    return isRestricted(this.#options.server.permissions, this.#options.app?.app);
  }

  /** Returns false if permissions changed meanwhile, so that it must be tried again. Errors: those of `admit`. */
  async #tryAdmit(name: string, request: RequestEnvelope, options: AdmitOptions): Promise<boolean> {
    const { server, app, askUser } = this.#options;
    const { signal, isContinuation } = options;
    await this.#learnTool(name, options);
    const readOnly = await server.isReadOnly(name);
    const rule = this.#decide({ name, readOnly });
    const errorOptions = { stage: 'gateway', detail: { tool: displayText(name) } } as const;
    if (rule === 'deny') throw this.#denied('TOOL_DENIED', name);
    if ((await this.#unreviewed())?.hasName(name)) throw new PosternError('TOOL_CHANGED', errorOptions);
    if (rule === 'allow' || isContinuation === true || this.#allowed.has(name)) return true;
    if (!askUser) throw new PosternError('APPROVAL_IMPOSSIBLE', errorOptions);
    const changed = new AbortController();
    this.#awaitingUser.set(changed, name);
    const { id, name: serverName } = server.integration;
    const decision = await askUser({
      app,
      integration: { id, name: serverName },
      tool: name,
      readOnly,
      input: request.params['arguments'],
      canLast: app !== undefined && name.length <= permissionBounds.tool,
      signal: AbortSignal.any([signal, changed.signal]),
    }).finally(() => this.#awaitingUser.delete(changed));
    signal.throwIfAborted();
    if (changed.signal.aborted) return false;
    switch (decision) {
      case 'no':
        throw new PosternError('APPROVAL_REFUSED', errorOptions);
      case 'missed':
        throw new PosternError('APPROVAL_TIMEOUT', errorOptions);
      case 'always':
        await this.#allowAlways(name);
        break;
      case 'session':
        this.#allowed.add(name);
        break;
      case 'once':
        return true;
    }
    for (const [waiting, tool] of this.#awaitingUser) if (tool === name) waiting.abort();
    return true;
  }

  /**
   * Lists the server's tools before the first call of one that no app has listed, if the decision depends on whether it
   * only reads. Waits for a limited time; without the list, it counts as a tool that may change something.
   */
  async #learnTool(name: string, { signal, listTools }: AdmitOptions): Promise<void> {
    const { server, clock } = this.#options;
    const isDependent = this.#decide({ name, readOnly: true }) !== this.#decide({ name, readOnly: false });
    if (!isDependent || (await server.isListed(name))) return;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const stop = clock.after(gatewaySession.toolsWait, resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
    await Promise.race([server.listOnce(listTools), late]);
    stop();
    signal.throwIfAborted();
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

  /** Whether the request's method is allowed for the app. */
  #exposes(request: Pick<RequestEnvelope, 'method' | 'params'>): boolean {
    const rule = methodRuleOf(request);
    if (rule === 'open' || rule === 'tools') return true;
    const { server, app } = this.#options;
    return rule !== 'unnamed' && isExposed(server.permissions, app?.app, rule);
  }

  #denied(code: 'TOOL_DENIED' | 'CAPABILITY_DENIED', subject?: string | RequestEnvelope): PosternError {
    const { app } = this.#options;
    const isUnnamed = typeof subject === 'object' && methodRuleOf(subject) === 'unnamed';
    return new PosternError(code, {
      stage: 'gateway',
      detail: {
        ...(app && { app: displayText(app.name) }),
        ...(typeof subject === 'string' && { tool: displayText(subject) }),
        ...(isUnnamed && { method: displayText(subject.method) }),
      },
    });
  }
}

interface AdmitOptions {
  /** Aborts when the app no longer waits for the call. */
  readonly signal: AbortSignal;
  /** The user has already allowed this call. */
  readonly isContinuation?: boolean;
  /** Sends the app a progress notification. */
  readonly notify: (notification: string) => void;
  /** Lists the server's tools in this session, for `ServerTools`. Errors: PosternError. */
  readonly listTools: () => Promise<void>;
}

/**
 * Reports progress while a call waits, since that can extend an app's timeout (MCP 2025-11-25, timeouts). Returns a
 * function that stops it.
 */
function reportProgress(
  clock: Pick<Clock, 'after'>,
  { params }: RequestEnvelope,
  { notify }: AdmitOptions,
): () => void {
  const progressToken = progressTokenOf(params);
  if (progressToken === undefined) return () => {};
  let stop: () => void;
  let progress = 0;
  const scheduleNext = (): void => {
    stop = clock.after(callConfirmations.progressInterval, () => {
      // Progress must increase, so stay below whatever the tool starts with.
      progress += 1e-6;
      const message = 'Waiting for the user to allow this in Postern.';
      notify(notificationText('notifications/progress', { progressToken, progress, message }));
      scheduleNext();
    });
  };
  scheduleNext();
  return () => stop();
}

/** HTTP header fields of a request, names in lower case. */
type Fields = Readonly<Record<string, string | undefined>>;

/**
 * Whether the header fields name another method, tool, prompt or resource than the body (MCP 2026-07-28, streamable
 * HTTP): the server might use one and Postern the other.
 */
export function contradictsHeaders({ method, params }: RequestEnvelope, fields: Fields): boolean {
  const { 'mcp-method': ofMethod, 'mcp-name': ofName } = fields;
  if (ofMethod !== undefined && ofMethod !== method) return true;
  const name = mcpNameOf(method, params);
  return ofName !== undefined && typeof name === 'string' && ofName !== name && ofName !== encodeValue(name);
}
