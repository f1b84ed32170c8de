import type { LocalHearing, LocalProcess } from '../../local-ports.ts';
import type { Clock } from '../../ports.ts';
import { textOf } from '../http/mcp-endpoint.ts';
import type { McpFetch, McpRequestInit } from '../http/mcp-endpoint.ts';
import { sessionField } from '../sse/old-session.ts';
import { StdioRun } from './stdio-run.ts';
import { surveyJson } from '../messages/survey-json.ts';
import { PosternError } from '../../postern-error.ts';

export interface StdioOptions {
  /** Starts the server. Errors: PosternError. */
  readonly start: (hearing: LocalHearing, signal: AbortSignal) => Promise<LocalProcess>;
  readonly clock: Pick<Clock, 'after'>;
  /** The error for a request that has no answer in time. */
  readonly silent: () => PosternError;
}

export interface StdioTransport {
  readonly fetch: McpFetch;
  /** Ends the process: the next request starts another one. Never rejects. */
  restart(): Promise<void>;
  /** Ends it for good. Never rejects. */
  close(): Promise<void>;
}

/**
 * A fetch of one connection to a server that is a process of its own: whoever uses it speaks streamable HTTP. The
 * process is the session: it starts with the first request, and after its end all that names it is answered 404, so that
 * a new one is begun (MCP 2025-11-25, stdio; session management 3 and 4).
 */
export function stdioTransport({ start, clock, silent }: StdioOptions): StdioTransport {
  const end = new AbortController();
  let run: StdioRun | undefined;
  let starting: Promise<StdioRun> | undefined;

  async function begin(): Promise<StdioRun> {
    const begun = new StdioRun(() => {
      if (run === begun) run = undefined;
    });
    const process = await start(begun.hearing, end.signal);
    begun.begin(process);
    if (end.signal.aborted) {
      await begun.stop();
      throw end.signal.reason;
    }
    if (!begun.isOver) run = begun;
    return begun;
  }

  /** Whoever comes meanwhile waits for the same one. */
  async function running(): Promise<StdioRun> {
    if (run) return run;
    end.signal.throwIfAborted();
    starting ??= begin().finally(() => {
      starting = undefined;
    });
    return await starting;
  }

  /** One handshake has one process: a second one begins anew. */
  async function forHandshake(): Promise<StdioRun> {
    if (run?.isGreeted) {
      const before = run;
      run = undefined;
      void before.stop();
    }
    const greeted = await running();
    greeted.isGreeted = true;
    return greeted;
  }

  async function post(init: McpRequestInit, named: string | null): Promise<Response> {
    const text = textOf(init.body);
    const { id, hasMethod } = surveyJson(Buffer.from(text));
    const line = text.replace(/[\r\n]+/gu, ' ');
    if (!hasMethod || id === undefined) {
      await run?.tell(line);
      return new Response(null, { status: 202 });
    }
    const current = named === null && beginsSession(text) ? await forHandshake() : await running();
    const outlet = await current.ask(id, line, init);
    if (!outlet) return new Response(null, { status: 400 });
    if (init.deadline !== undefined) {
      const stop = clock.after(init.deadline, () => outlet.end(silent()));
      void outlet.begun.then(stop);
    }
    return current.asStream(outlet);
  }

  return {
    async fetch(_address, init = {}) {
      const named = new Headers(init.headers).get(sessionField);
      if (named !== null && named !== run?.id) return new Response(null, { status: 404 });
      switch (init.method) {
        case 'POST':
          return await post(init, named);
        case 'DELETE':
          await run?.stop();
          return new Response(null, { status: 200 });
        default:
          return run && named !== null ? run.listen(init) : new Response(null, { status: 405 });
      }
    },
    async restart() {
      await run?.stop();
    },
    async close() {
      end.abort(new PosternError('USER_CANCELLED', { stage: 'local' }));
      await starting?.catch(() => {});
      await run?.stop();
    },
  };
}

function beginsSession(text: string): boolean {
  if (!/"initialize"/u.test(text)) return false;
  const message: unknown = JSON.parse(text);
  return typeof message === 'object' && message !== null && 'method' in message && message.method === 'initialize';
}
