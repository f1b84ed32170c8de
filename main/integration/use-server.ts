import type { Integration, WireEra } from '../../shared/integration.ts';
import { wantsSignIn } from '../../shared/wants-sign-in.ts';
import { authorizationsPerOperation } from '../limits.ts';
import type { McpConnection } from '../mcp/connect-mcp.ts';
import type { CredentialSource, Refusal } from '../mcp/mcp-fetch.ts';
import { askFirst } from '../mcp/first-question.ts';
import { createMcpFetch } from '../mcp/mcp-fetch.ts';
import { PosternError } from '../postern-error.ts';
import { judgeKeyFailure } from './api-key.ts';
import { askEarly, credentialSource } from './credential-source.ts';
import type { EnginePorts } from './engine-ports.ts';
import { inSession } from './in-session.ts';
import { integrationPolicy } from './integration-policy.ts';
import { nameScopes } from './name-scopes.ts';
import type { SignInInteraction } from './sign-in/sign-in-interaction.ts';

export type Tool = Awaited<ReturnType<McpConnection['client']['listTools']>>['tools'][number];

/** How an operation may go on when the server wants a sign-in: with `interaction` it asks, without it ends. */
export interface Access {
  readonly interaction?: SignInInteraction | undefined;
  readonly signal: AbortSignal;
  /** Told of a demand to sign in that ends the operation: a later sign-in can answer it. */
  readonly onRefusal?: ((refusal: Refusal) => void) | undefined;
}

export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export type ToolResult = Awaited<ReturnType<McpConnection['client']['callTool']>>;

/** Every tool of a server. Errors: SIGN_IN_REQUIRED, SCOPE_REQUIRED, REFRESH_*, MCP_FAILED and those of HTTP. */
export async function listTools(
  ports: EnginePorts,
  integration: Integration,
  access: Access,
): Promise<readonly Tool[]> {
  return await useServer(ports, integration, access, async ({ client }, signal) => {
    const { tools } = await client.listTools(undefined, { signal });
    return tools;
  });
}

/** Calls one tool. A tool that fails answers `isError`; that is a result. Errors: as `listTools`, TOOL_NOT_FOUND. */
export async function callTool(
  ports: EnginePorts,
  integration: Integration,
  { name, arguments: input }: ToolCall,
  access: Access,
): Promise<ToolResult> {
  return await useServer(ports, integration, access, async ({ client }, signal) => {
    try {
      return await client.callTool({ name, arguments: { ...input } }, { signal });
    } catch (error) {
      const { isInvalidParams } = await import('../mcp/mcp-failure.ts');
      // Servers answer an unknown tool with the code of a wrong argument (JSON-RPC 2.0 section 5.1): ask to be sure.
      if (!isInvalidParams(error)) throw error;
      const { tools } = await client.listTools(undefined, { signal });
      if (tools.some((tool) => tool.name === name)) throw error;
      throw new PosternError('TOOL_NOT_FOUND', {
        stage: 'connection',
        detail: { host: new URL(integration.url).host },
      });
    }
  });
}

/** A server as one integration reaches it. */
export interface OpenServer {
  connect(era: WireEra | undefined, signal: AbortSignal): Promise<McpConnection>;
  /** The last answer with which it refused a credential, or the lack of one. */
  refusal(): Refusal | undefined;
  /** Whether the last failure is that it does not know the session of a request any more. */
  hasEndedSession(): boolean;
  /** The typed error behind whatever the MCP library threw. */
  failure(thrown: unknown): Promise<PosternError>;
}

/** The MCP library is loaded at the first connection: it takes longer than all the rest together. */
export function openServer(
  ports: Pick<EnginePorts, 'http'>,
  integration: Pick<Integration, 'url' | 'options'>,
  credentials: CredentialSource,
): OpenServer {
  let last: { error: PosternError; refusal: Refusal | undefined } | undefined;
  let givenUp: AbortSignal | undefined;
  const fetch = createMcpFetch({
    http: ports.http,
    policy: integrationPolicy(integration.url, integration.options),
    credentials,
    onFailure: (error, refusal) => {
      last = { error, refusal };
    },
  });
  return {
    async connect(era, signal) {
      givenUp = signal;
      const { url } = integration;
      last = undefined;
      const asked = askFirst(fetch, url, era === undefined ? ['legacy', 'modern'] : [era], signal);
      const { connectMcp } = await import('../mcp/connect-mcp.ts');
      return await connectMcp({ url, fetch: asked, era, signal });
    },
    refusal: () => last?.refusal,
    hasEndedSession: () => last?.error.detail['sessionEnded'] === 1,
    async failure(thrown) {
      if (thrown instanceof PosternError) return judgeKeyFailure(integration, thrown);
      // The library knows no other word for it than a time that has run out.
      if (givenUp?.aborted) return new PosternError('USER_CANCELLED', { stage: 'connection' });
      const { readMcpFailure } = await import('../mcp/mcp-failure.ts');
      return judgeKeyFailure(integration, readMcpFailure(thrown, last?.error, new URL(integration.url).host));
    },
  };
}

/** Loads what a connection will need, while something else is waited for. */
export function prepareToConnect(): void {
  import('../mcp/connect-mcp.ts').catch(() => {});
}

export async function readTools(
  server: OpenServer,
  era: WireEra | undefined,
  signal: AbortSignal,
): Promise<{ tools: readonly Tool[]; era: WireEra }> {
  try {
    return await inSession(server, era, signal, async (connection) => ({
      tools: (await connection.client.listTools(undefined, { signal })).tools,
      era: connection.era,
    }));
  } catch (error) {
    throw await server.failure(error);
  }
}

/**
 * Runs `work` on a connection; on a demand to sign in, signs in and runs it again, with at most three authorizations
 * for one operation, the first sign-in included (MCP step-up, retry limits).
 */
export async function useServer<Result>(
  ports: EnginePorts,
  integration: Integration,
  access: Access,
  work: (connection: McpConnection, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  let current = integration;
  for (let authorizations = integration.signedInAt === undefined ? 0 : 1; ; authorizations += 1) {
    const server = openServer(ports, current, askEarly(credentialSource(ports, current, access.signal)));
    try {
      return await inSession(server, current.era, access.signal, async (connection) => {
        const result = await work(connection, access.signal);
        if (connection.era !== current.era) {
          await ports.store.update(current.id, (kept) => ({ ...kept, era: connection.era }));
        }
        return result;
      });
    } catch (thrown) {
      if (access.signal.aborted) throw new PosternError('USER_CANCELLED', { stage: 'connection' });
      const error = await server.failure(thrown);
      const refusal = server.refusal();
      const mayAsk = wantsSignIn(error) && access.interaction && authorizations < authorizationsPerOperation;
      if (!mayAsk || !access.interaction) {
        if (refusal) access.onRefusal?.(refusal);
        throw nameScopes(error, refusal, current);
      }
      const { reauthenticate } = await import('./reauthenticate.ts');
      current = await reauthenticate(ports, current, { refusal }, access.interaction, access.signal);
    }
  }
}
