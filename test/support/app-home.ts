import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Integration } from '../../shared/integration.ts';
import { anIntegration } from './an-integration.ts';
import { runInProcess } from './command-in-process.ts';
import type { PosternResult } from './postern-process.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { writeList } from './write-profile.ts';

export interface AppHome {
  readonly home: string;
  /** The profile folder, outside the home folder. */
  readonly profile: string;
  /** The environment for every command. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A path below the home folder. */
  at(file: string): string;
  /** Writes a file below the home folder, creating its folders. */
  put(file: string, text: string | Uint8Array): string;
  /** `undefined` if there is none. */
  text(file: string): string | undefined;
  run(...args: string[]): Promise<PosternResult>;
}

const [notes, mail] = [
  anIntegration({ id: 'id-of-notes', name: 'Notes', alias: 'notes', url: 'https://notes.example/mcp' }),
  anIntegration({ id: 'id-of-mail', name: 'My Mail', alias: 'my-mail', url: 'https://mail.example/mcp' }),
];

/** An empty home folder, and a profile with two servers. */
export function makeAppHome(integrations: readonly Integration[] = [notes, mail]): AppHome {
  const home = temporaryFolder();
  const profile = temporaryFolder();
  writeList(profile, integrations);
  const at = (file: string): string => path.join(home, file);
  const env = { HOME: home, XDG_CONFIG_HOME: undefined, CODEX_HOME: undefined, CLAUDE_CONFIG_DIR: undefined };
  return {
    home,
    profile,
    env,
    at,
    put(file, text) {
      mkdirSync(path.dirname(at(file)), { recursive: true });
      writeFileSync(at(file), text);
      return at(file);
    },
    text: (file) => (existsSync(at(file)) ? readFileSync(at(file), 'utf8') : undefined),
    run: (...args) => runInProcess(args, { home: profile, env }),
  };
}

/** A command that edits its file as `claude mcp` does, and records its arguments. */
export function putClaude({ home, put }: AppHome, then = ''): { readonly folder: string; calls(): string[][] } {
  const script = put(
    'bin/claude',
    `#!${process.execPath}
const fs = require('node:fs');
const [, , mcp, verb, name, ...rest] = process.argv;
const file = process.env.HOME + '/.claude.json';
fs.appendFileSync(process.env.HOME + '/calls', JSON.stringify(process.argv.slice(2)) + '\\n');
${then}
const state = JSON.parse(fs.readFileSync(file, 'utf8'));
state.mcpServers ??= {};
if (mcp !== 'mcp' || rest.slice(-2).join(' ') !== '-s user') process.exit(1);
if (verb === 'add-json' && state.mcpServers[name] === undefined) state.mcpServers[name] = JSON.parse(rest[0]);
else if (verb === 'remove' && state.mcpServers[name] !== undefined) delete state.mcpServers[name];
else process.exit(1);
fs.writeFileSync(file, JSON.stringify(state));
`,
  );
  chmodSync(script, 0o755);
  return {
    folder: path.dirname(script),
    calls: () =>
      readFileSync(path.join(home, 'calls'), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as string[]),
  };
}

export function modeOf(file: string): number {
  return statSync(file).mode & 0o777;
}
