import type { Integration } from '../../../shared/integration.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import {
  changePermissions,
  decideTool,
  holdsChanges,
  isOffered,
  isRestricted,
  permissionBounds,
} from '../../../shared/tool-permissions.ts';
import type { RuledTool, ToolPermissions, ToolRule } from '../../../shared/tool-permissions.ts';
import { displayText } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { AskForCall } from '../../gateway-ports.ts';
import { askedCalls } from '../../limits.ts';
import { encodeValue, nameOf } from '../../mcp/messages/message-headers.ts';
import type { Clock } from '../../ports.ts';
import { notificationText } from '../answers/answers.ts';
import { isObject } from '../messages/envelope.ts';
import type { Envelope, RequestEnvelope } from '../messages/envelope.ts';
import { isAmbiguous, isAmbiguousInTurn } from './ambiguous-message.ts';
import { isListing, ruleOf, withoutEntries } from './offer-of.ts';
import { saysReadOnly } from './seen-tools.ts';
import type { UnseenTools } from './seen-tools.ts';
import { withoutTools } from './without-tools.ts';

interface PermitOptions {
  readonly server: PermittedServer;
  readonly program: ProgramRecord | undefined;
  readonly clock: Pick<Clock, 'after'>;
  /** Left out where there is no window. */
  readonly ask: AskForCall | undefined;
}

/** Which tools of one server one program may call in one session. */
export class CallPermits {
  readonly #options: PermitOptions;
  /** Tools that the person has allowed for this session. */
  readonly #allowed = new Set<string>();
  /** Told apart by it: what held when a call was let through, and what holds as it leaves. */
  #changes = 0;
  /** Calls that wait for the person, by the tool: what is answered for one of them may answer others. */
  readonly #waiting = new Map<AbortController, string>();

  constructor(options: PermitOptions) {
    this.#options = options;
  }

  /**
   * Whether this message goes nowhere: its server may read another call in it, or make one of which nobody hears.
   * `judged`: whether it is ambiguous, where that is known.
   */
  refuses(message: Envelope, fields: Fields = {}, judged?: boolean): boolean {
    if (message.kind === 'unusable' || !this.#isRestricted) return false;
    if (message.kind === 'request' && namesAnother(message, fields)) return true;
    const isUnnamed = message.kind === 'notification' && !message.method.startsWith('notifications/');
    return isUnnamed || (judged ?? isAmbiguous(message.bytes));
  }

  /** Whether a long message is ambiguous, for `refuses`; `undefined`: it is short, or that does not matter. */
  async judgeInTurn(bytes: Buffer): Promise<boolean | undefined> {
    return this.#isRestricted ? await isAmbiguousInTurn(bytes) : undefined;
  }

  /** Of the fields that repeat arguments those that say what the body says: what was judged is what is done. */
  fieldsOf(fields: Fields, names: readonly string[], said: Fields): readonly string[] {
    return this.#isRestricted ? names.filter((name) => fields[name] === said[name]) : names;
  }

  /** An answer to this request, as the program may see it. Never rejects. */
  async shown(request: Pick<RequestEnvelope, 'method' | 'params'>, answer: Buffer): Promise<Buffer> {
    if (!this.#isRestricted) return answer;
    const { method } = request;
    if (isListing(method) && !this.#offers(request)) return withoutEntries(method, answer);
    if (method !== 'tools/list') return answer;
    const unseen = await this.#held();
    return withoutTools(answer, (tool, raw) => {
      const name = tool['name'];
      if (typeof name !== 'string') return false;
      return this.#decide({ name, readOnly: saysReadOnly(tool) }) === 'deny' || unseen?.inList(tool, raw) === true;
    });
  }

  /** Lets a request through; a call may wait for the person. Errors: TOOL_DENIED, TOOL_CHANGED, APPROVAL_*, CFG_*. */
  async admit(request: RequestEnvelope, waiting: Waiting): Promise<void> {
    if (!this.#isRestricted) return;
    if (!isListing(request.method) && !this.#offers(request)) throw this.#denied('OFFER_DENIED', request);
    if (request.method !== 'tools/call') return;
    const { name } = request.params;
    if (typeof name !== 'string') throw this.#denied('TOOL_DENIED');
    const stop = tellMeanwhile(this.#options.clock, request, waiting);
    try {
      while (!(await this.#isSettled(name, request, waiting)));
    } finally {
      stop();
    }
  }

  /** Whether the person has changed what holds since this was asked last: what was let through may be denied now. */
  sinceNow(): () => boolean {
    const before = this.#changes;
    return () => this.#changes !== before;
  }

  /** The person has changed what holds. */
  changed(): void {
    this.#changes += 1;
    this.#allowed.clear();
    for (const waiting of this.#waiting.keys()) waiting.abort();
  }

  get #isRestricted(): boolean {
    return isRestricted(this.#options.server.permissions, this.#options.program?.program);
  }

  /** Whether the call may go on; false: what holds has changed meanwhile. Errors: as of `admit`. */
  async #isSettled(name: string, request: RequestEnvelope, { signal, isGoingOn }: Waiting): Promise<boolean> {
    const { server, program, ask } = this.#options;
    const readOnly = await server.readsOnly(name);
    const rule = this.#decide({ name, readOnly });
    const refused = { stage: 'gateway', detail: { tool: displayText(name) } } as const;
    if (rule === 'deny') throw this.#denied('TOOL_DENIED', name);
    if ((await this.#held())?.called(name)) throw new PosternError('TOOL_CHANGED', refused);
    if (rule === 'allow' || isGoingOn === true || this.#allowed.has(name)) return true;
    if (!ask) throw new PosternError('APPROVAL_IMPOSSIBLE', refused);
    const changed = new AbortController();
    this.#waiting.set(changed, name);
    const { id, name: serverName } = server.integration;
    const answer = await ask({
      program,
      integration: { id, name: serverName },
      tool: name,
      readOnly,
      input: request.params['arguments'],
      canLast: program !== undefined && name.length <= permissionBounds.tool,
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

  /** What has changed, or is new, where that is held back. */
  async #held(): Promise<UnseenTools | undefined> {
    const { server } = this.#options;
    return holdsChanges(server.permissions) ? await server.unseen() : undefined;
  }

  async #allowAlways(tool: string): Promise<void> {
    const { server, program } = this.#options;
    if (program === undefined) return;
    await server.setPermissions((before) =>
      changePermissions(before, { program: program.program, tool, rule: 'allow' }),
    );
  }

  #decide(tool: RuledTool): ToolRule {
    return decideTool(this.#options.server.permissions, this.#options.program?.program, tool);
  }

  /** Whether the program gets anything of what a request is about. */
  #offers(request: Pick<RequestEnvelope, 'method' | 'params'>): boolean {
    const rule = ruleOf(request);
    if (rule === 'open' || rule === 'tools') return true;
    const { server, program } = this.#options;
    return rule !== 'unnamed' && isOffered(server.permissions, program?.program, rule);
  }

  #denied(code: 'TOOL_DENIED' | 'OFFER_DENIED', about?: string | RequestEnvelope): PosternError {
    const { program } = this.#options;
    const isUnnamed = typeof about === 'object' && ruleOf(about) === 'unnamed';
    return new PosternError(code, {
      stage: 'gateway',
      detail: {
        ...(program && { program: displayText(program.name) }),
        ...(typeof about === 'string' && { tool: displayText(about) }),
        ...(isUnnamed && { method: displayText(about.method) }),
      },
    });
  }
}

/** The server that the calls go to. */
interface PermittedServer {
  readonly integration: Integration;
  /** What the person has chosen for it, or for all servers. */
  readonly permissions: ToolPermissions | undefined;
  /** Whether the server says that this tool changes nothing, as far as that is known. */
  readonly readsOnly: (tool: string) => Promise<boolean>;
  /** Tools that the person has not looked at as they are now. Never rejects. */
  readonly unseen: () => Promise<UnseenTools>;
  /** Keeps what the person has chosen. Errors: CFG_*. */
  readonly setPermissions: (
    change: (before: ToolPermissions | undefined) => ToolPermissions | undefined,
  ) => Promise<void>;
}

interface Waiting {
  /** Aborts when nobody waits for the call any more. */
  readonly signal: AbortSignal;
  /** The person has been asked about this call already. */
  readonly isGoingOn?: boolean;
  /** Says to the program that it still waits. */
  readonly tell: (notification: string) => void;
}

/** A program that has asked for progress gives up later (MCP 2025-11-25, timeouts). Answers what ends it. */
function tellMeanwhile(clock: Pick<Clock, 'after'>, { params }: RequestEnvelope, { tell }: Waiting): () => void {
  const { _meta } = params;
  const progressToken = isObject(_meta) ? _meta['progressToken'] : undefined;
  if (progressToken === undefined) return () => {};
  let stop: () => void;
  let progress = 0;
  const later = (): void => {
    stop = clock.after(askedCalls.progress, () => {
      // Below whatever the tool itself begins with: progress only grows.
      progress += 1e-6;
      const message = 'Waiting for the person to allow this in Postern.';
      tell(notificationText('notifications/progress', { progressToken, progress, message }));
      later();
    });
  };
  later();
  return () => stop();
}

/** Of a request by HTTP, names in lower case. */
type Fields = Readonly<Record<string, string | undefined>>;

/**
 * Whether the fields of a request name another method, tool, prompt or resource than its body (MCP 2026-07-28,
 * streamable HTTP): a server may go by the one and Postern by the other.
 */
export function namesAnother({ method, params }: RequestEnvelope, fields: Fields): boolean {
  const { 'mcp-method': ofMethod, 'mcp-name': ofName } = fields;
  if (ofMethod !== undefined && ofMethod !== method) return true;
  const name = nameOf(method, params);
  return ofName !== undefined && typeof name === 'string' && ofName !== name && ofName !== encodeValue(name);
}
