import { openIntegrationStore } from '../../main/storage/settings/integration-store.ts';
import type { Integration } from '../../shared/integration.ts';
import { openHttpEndpoint, someSecret } from './http-endpoint.ts';
import { openApp, shakeHands } from './line-app.ts';
import type { LineApp } from './line-app.ts';
import { pipeKinds } from './pipe-process.ts';
import { serveGateway } from './served-gateway.ts';
import type { TestEngine } from './test-engine.ts';

const { secretHash, authorization } = someSecret();

/** A collection `all` of these servers, an app that may use only it, and every transport to reach it. */
export async function serveCollection(
  engine: TestEngine,
  members: readonly Pick<Integration, 'id'>[],
  options: Parameters<typeof serveGateway>[1] = {},
) {
  const { collections } = openIntegrationStore({ folder: engine.folder, locks: engine.ports.locks });
  const served = await serveGateway(engine, options);
  const set = async (ids: readonly string[]): Promise<void> => {
    await collections.change((all) => [
      ...all.filter(({ name }) => name !== 'all'),
      { name: 'all', members: [...ids] },
    ]);
    await served.gateway.reloadSettings();
  };
  await set(members.map(({ id }) => id));
  const app = await served.allow({ id: '+all' } as Integration, { secretHash });
  const { port, send } = await openHttpEndpoint(served);
  const hello = { server: '+all', app };
  return {
    served,
    app,
    set,
    address: new URL(`http://127.0.0.1:${port}/mcp/+all`),
    headers: { authorization },
    post: (body: object, headers: Record<string, string> = {}, at = '/mcp/+all') =>
      send(
        {
          authorization,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        { path: at, body: JSON.stringify(body) },
      ),
    /** Starts each available pipe. */
    pipes: pipeKinds
      .filter(({ missing }) => missing === undefined)
      .map(({ name, command: [command = '', ...words] }) => ({
        name,
        command,
        args: [...words, '--profile-folder', engine.folder, '+all', '--app', app],
        stderr: 'ignore' as const,
      })),
    /** An app with session revisions that speaks lines. */
    async open(capabilities: object = {}): Promise<LineApp> {
      const opened = openApp(served.socket, hello);
      if (Object.keys(capabilities).length === 0) await shakeHands(opened);
      else {
        const clientInfo = { name: 'test', version: '1' };
        await opened.request(0, 'initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo });
      }
      return opened;
    },
    openNewer: () => openApp(served.socket, hello),
  };
}

/** Names of a list's entries. */
export async function namesOf(app: LineApp, id: string, list: 'tools' | 'prompts' = 'tools'): Promise<string[]> {
  const { result } = (await app.request(id, `${list}/list`)) as { result: Record<string, { name: string }[]> };
  return (result[list] ?? []).map(({ name }) => name);
}

/** The text of a tool result. */
export async function callOf(app: LineApp, id: string, name: string, input: object = {}): Promise<string> {
  const response = await app.request(id, 'tools/call', { name, arguments: input });
  const { result, error } = response as { result?: { content: { text?: string }[] }; error?: { message: string } };
  return result ? result.content.map(({ text }) => text ?? '').join('') : (error?.message ?? '');
}
