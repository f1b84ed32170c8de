import { rmSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { startPair } from '../support/demo-pair.ts';
import { type PosternResult, runPostern, startPostern } from '../support/postern-process.ts';
import { makeAppHome, type AppHome } from '../support/app-home.ts';
import { serveUnanswered } from './serve-unanswered.ts';

/** A user's computer: a home folder, Postern with a server called Notes, and an app that is about to use it. */
export interface World {
  readonly home: AppHome;
  /** The app's folder, empty. */
  readonly folder: string;
  /** The app's home and commands. */
  readonly environment: Readonly<Record<string, string>>;
  postern(...words: readonly string[]): Promise<PosternResult>;
  signOut(): Promise<void>;
  signIn(): Promise<void>;
  /** The server is gone. */
  takeServerAway(): Promise<void>;
  /** A window serves meanwhile, and no one answers its prompts. */
  whileNobodyAnswers(work: () => Promise<void>): Promise<void>;
  /** The result of `whoami` for the official client right now, through its own entry. */
  askDirectly(): Promise<{ readonly text: string; readonly code: string | undefined }>;
}

/** All of it is gone after the test. `commands`: the folder with the app's commands. */
export async function openWorld(environment: Readonly<Record<string, string>>, commands: string): Promise<World> {
  const { mcp } = await startPair();
  const home = makeAppHome([]);
  const folder = home.at('work');
  home.put('work/README.md', 'Nothing.\n');
  const searchPath = [commands, path.dirname(process.execPath), '/usr/bin', '/bin'].join(path.delimiter);
  const env = { ...home.env, ...environment, PATH: searchPath };
  const postern = async (...words: readonly string[]): Promise<PosternResult> => {
    const result = await runPostern([...words, '--json'], { home: home.profile, env });
    if (result.code === 0) return result;
    throw new Error(`postern ${words.join(' ')}: ${result.stdout}${result.stderr}`);
  };
  await postern('connect', mcp.url, '--local', '--name', 'Notes');
  const serve = () => startPostern(['serve', '--http', '--json'], { home: home.profile, env });
  let service = serve();
  await service.waitFor(/"event":"serving"/);

  // The official client, in place of an app that does nothing wrong.
  home.put('.lmstudio/mcp.json', '{}');
  await postern('use', 'Notes', 'lm-studio', '--yes');
  const entries = JSON.parse(home.text('.lmstudio/mcp.json') ?? '') as {
    mcpServers: { notes: { command: string; args: string[] } };
  };
  rmSync(home.at('.lmstudio'), { recursive: true });

  return {
    home,
    folder,
    environment: { ...ofSession(), HOME: home.home, PATH: searchPath, LANG: 'C.UTF-8', TERM: 'dumb', SHELL: '/bin/sh' },
    postern,
    signOut: async () => void (await postern('sign-out', 'Notes')),
    signIn: async () => void (await postern('refresh', 'Notes', '--sign-in', 'browser')),
    takeServerAway: () => mcp.close(),
    async whileNobodyAnswers(work) {
      service.kill('SIGTERM');
      await service.ended;
      const end = await serveUnanswered(home.profile);
      try {
        await work();
      } finally {
        await end();
        service = serve();
        await service.waitFor(/"event":"serving"/);
      }
    },
    async askDirectly() {
      const client = new Client({ name: 'official-client', version: '1' });
      const transport = { ...entries.mcpServers.notes, env: { HOME: home.home }, stderr: 'ignore' as const };
      await client.connect(new StdioClientTransport(transport));
      try {
        const { content, _meta } = await client.callTool({ name: 'whoami', arguments: {} });
        const [block] = content;
        const code = (_meta?.['dev.postern/error'] as { code?: string } | undefined)?.code;
        return { text: block?.type === 'text' ? block.text : '', code };
      } finally {
        await client.close();
      }
    },
  };
}

/** For a user logged in at a desktop: where the keychain is found. */
function ofSession(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    ['DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR'].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
