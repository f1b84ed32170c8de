import { openIntegrationStore } from '../../main/storage/settings/integration-store.ts';
import type { Integration } from '../../shared/integration.ts';
import { openHttpDoor, someSecret } from './http-door.ts';
import { openProgram, shakeHands } from './line-program.ts';
import type { LineProgram } from './line-program.ts';
import { pipeKinds } from './pipe-process.ts';
import { serveGateway } from './served-gateway.ts';
import type { TestEngine } from './test-engine.ts';

const { secretHash, authorization } = someSecret();

/** A collection `all` of these servers, a program that may use it and nothing else, and every way in. */
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
    await served.gateway.changed();
  };
  await set(members.map(({ id }) => id));
  const program = await served.allow({ id: '+all' } as Integration, { secretHash });
  const { port, ask } = await openHttpDoor(served);
  const hello = { server: '+all', program };
  return {
    served,
    program,
    set,
    address: new URL(`http://127.0.0.1:${port}/mcp/+all`),
    headers: { authorization },
    ask: (body: object, headers: Record<string, string> = {}, at = '/mcp/+all') =>
      ask(
        {
          authorization,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        { path: at, body: JSON.stringify(body) },
      ),
    /** What starts each pipe that is here. */
    pipes: pipeKinds
      .filter(({ missing }) => missing === undefined)
      .map(({ name, command: [command = '', ...words] }) => ({
        name,
        command,
        args: [...words, '--profile-folder', engine.folder, '+all', '--program', program],
        stderr: 'ignore' as const,
      })),
    /** A program of the older wire that speaks lines. */
    async open(capabilities: object = {}): Promise<LineProgram> {
      const opened = openProgram(served.socket, hello);
      if (Object.keys(capabilities).length === 0) await shakeHands(opened);
      else {
        const clientInfo = { name: 'test', version: '1' };
        await opened.ask(0, 'initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo });
      }
      return opened;
    },
    openNewer: () => openProgram(served.socket, hello),
  };
}

/** Names of what a list has. */
export async function namesOf(
  program: LineProgram,
  id: string,
  list: 'tools' | 'prompts' = 'tools',
): Promise<string[]> {
  const { result } = (await program.ask(id, `${list}/list`)) as { result: Record<string, { name: string }[]> };
  return (result[list] ?? []).map(({ name }) => name);
}

/** The text of a tool's answer. */
export async function callOf(program: LineProgram, id: string, name: string, input: object = {}): Promise<string> {
  const answer = await program.ask(id, 'tools/call', { name, arguments: input });
  const { result, error } = answer as { result?: { content: { text?: string }[] }; error?: { message: string } };
  return result ? result.content.map(({ text }) => text ?? '').join('') : (error?.message ?? '');
}
