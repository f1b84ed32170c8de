import type { Integration } from '../../../shared/integration.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import {
  changePermissions,
  decideTool,
  holdsChanges,
  isRestricted,
  permissionBounds,
} from '../../../shared/tool-permissions.ts';
import type { RuledTool, ToolPermissions, ToolRule } from '../../../shared/tool-permissions.ts';
import { displayText } from '../../address/display-text.ts';
import type { AskForCall } from '../../gateway-ports.ts';
import { askedCalls } from '../../limits.ts';
import type { Clock } from '../../ports.ts';
import { PosternError } from '../../postern-error.ts';
import { notificationText } from '../answers/answers.ts';
import { isObject } from '../messages/envelope.ts';
import type { Envelope, RequestEnvelope } from '../messages/envelope.ts';
import { isAmbiguous } from './is-ambiguous.ts';
import { saysReadOnly } from './known-tools.ts';
import type { UnseenTools } from './seen-tools.ts';
import { withoutTools } from './without-tools.ts';

/** The server that the calls go to. */
export interface PermittedServer {
  readonly integration: Integration;
  /** Whether the server says that this tool changes nothing, as far as that is known. */
  readonly readsOnly: (tool: string) => Promise<boolean>;
  /** Tools that the person has not looked at as they are now. Never rejects. */
  readonly unseen: () => Promise<UnseenTools>;
  /** Keeps what the person has chosen. Errors: CFG_*. */
  readonly setPermissions: (
    change: (before: ToolPermissions | undefined) => ToolPermissions | undefined,
  ) => Promise<void>;
}

export interface PermitOptions {
  readonly server: PermittedServer;
  readonly program: ProgramRecord | undefined;
  readonly clock: Pick<Clock, 'after'>;
  /** Left out where there is no window. */
  readonly ask: AskForCall | undefined;
}

export interface Waiting {
  /** Aborts when nobody waits for the call any more. */
  readonly signal: AbortSignal;
  /** Says to the program that it still waits. */
  readonly tell: (notification: string) => void;
}

/** Which tools of one server one program may call in one session. */
export class CallPermits {
  readonly #options: PermitOptions;
  /** Tools that the person has allowed for this session. */
  readonly #allowed = new Set<string>();
  /** Calls that wait for the person, by the tool: what is answered for one of them may answer others. */
  readonly #waiting = new Map<AbortController, string>();

  constructor(options: PermitOptions) {
    this.#options = options;
  }

  /**
   * Whether this message goes nowhere: its server may read another call in it, or make one of which nobody hears, since
   * a call has an id (JSON-RPC 2.0 section 4.1).
   */
  refuses(message: Envelope): boolean {
    if (message.kind === 'unusable' || !this.#isRestricted) return false;
    return (message.kind === 'notification' && message.method === 'tools/call') || isAmbiguous(message.bytes);
  }

  /** An answer to this request, as the program may see it. Never rejects. */
  async shown({ method }: Pick<RequestEnvelope, 'method'>, answer: Buffer): Promise<Buffer> {
    if (method !== 'tools/list' || !this.#isRestricted) return answer;
    const unseen = await this.#held();
    return withoutTools(answer, (tool, raw) => {
      const name = tool['name'];
      if (typeof name !== 'string') return false;
      return this.#decide({ name, readOnly: saysReadOnly(tool) }) === 'deny' || unseen?.inList(tool, raw) === true;
    });
  }

  /** Lets a request through; a call may wait for the person. Errors: TOOL_DENIED, TOOL_CHANGED, APPROVAL_*, CFG_*. */
  async admit(request: RequestEnvelope, waiting: Waiting): Promise<void> {
    if (request.method !== 'tools/call' || !this.#isRestricted) return;
    const { name } = request.params;
    if (typeof name !== 'string') throw this.#denied();
    const stop = this.#tellMeanwhile(request, waiting);
    try {
      while (!(await this.#isSettled(name, request, waiting.signal)));
    } finally {
      stop();
    }
  }

  /** The person has changed what holds. */
  changed(): void {
    this.#allowed.clear();
    for (const waiting of this.#waiting.keys()) waiting.abort();
  }

  get #isRestricted(): boolean {
    return isRestricted(this.#options.server.integration.permissions, this.#options.program?.program);
  }

  /** Whether the call may go on; false: what holds has changed meanwhile. Errors: as of `admit`. */
  async #isSettled(name: string, request: RequestEnvelope, signal: AbortSignal): Promise<boolean> {
    const { server, program, ask } = this.#options;
    const readOnly = await server.readsOnly(name);
    const rule = this.#decide({ name, readOnly });
    if (rule === 'deny') throw this.#denied();
    if ((await this.#held())?.called(name)) throw new PosternError('TOOL_CHANGED', { stage: 'gateway' });
    if (rule === 'allow' || this.#allowed.has(name)) return true;
    if (!ask) throw new PosternError('APPROVAL_IMPOSSIBLE', { stage: 'gateway' });
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
        throw new PosternError('APPROVAL_REFUSED', { stage: 'gateway' });
      case 'missed':
        throw new PosternError('APPROVAL_TIMEOUT', { stage: 'gateway' });
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
    return holdsChanges(server.integration.permissions) ? await server.unseen() : undefined;
  }

  async #allowAlways(tool: string): Promise<void> {
    const { server, program } = this.#options;
    if (program === undefined) return;
    await server.setPermissions((before) =>
      changePermissions(before, { program: program.program, tool, rule: 'allow' }),
    );
  }

  #decide(tool: RuledTool): ToolRule {
    return decideTool(this.#options.server.integration.permissions, this.#options.program?.program, tool);
  }

  #denied(): PosternError {
    const program = displayText(this.#options.program?.name ?? 'This program');
    return new PosternError('TOOL_DENIED', { stage: 'gateway', detail: { program } });
  }

  /** A program that has asked for progress gives up later (MCP 2025-11-25, timeouts). */
  #tellMeanwhile({ params }: RequestEnvelope, { tell }: Waiting): () => void {
    const { _meta } = params;
    const progressToken = isObject(_meta) ? _meta['progressToken'] : undefined;
    if (progressToken === undefined) return () => {};
    let stop: () => void;
    let progress = 0;
    const later = (): void => {
      stop = this.#options.clock.after(askedCalls.progress, () => {
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
}
