import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostern, plainServer } from './postern.ts';
import { makeFolder, pathThere, theWindows } from './windows.ts';

/** Files of AI apps as Windows programs write them. */

const { node } = theWindows();
const user = makeFolder('user');
const env = {
  USERPROFILE: pathThere(user),
  HOMEPATH: pathThere(user).replace(/^\w:/u, ''),
  APPDATA: pathThere(path.join(user, 'AppData/Roaming')),
  LOCALAPPDATA: pathThere(path.join(user, 'AppData/Local')),
};
const postern = openPostern();

const bom = '\ufeff';
const crlf = (text: string): string => text.replaceAll('\n', '\r\n');

interface Case {
  readonly app: string;
  readonly file: string;
  readonly text: string;
}

const cases: readonly Case[] = [
  {
    app: 'cursor',
    file: '.cursor/mcp.json',
    text: crlf('{\n\t// mine\n\t"mcpServers": {\n\t\t"other": {\n\t\t\t"command": "x"\n\t\t}\n\t}\n}\n'),
  },
  {
    app: 'vscode',
    file: 'AppData/Roaming/Code/User/mcp.json',
    text: bom + crlf('{\n\t"servers": {\n\t\t"other": { "type": "stdio", "command": "x" }, // last\n\t}\n}\n'),
  },
  {
    app: 'claude-desktop',
    file: 'AppData/Roaming/Claude/claude_desktop_config.json',
    text: crlf('{\n  "mcpServers": {},\n  "globalShortcut": ""\n}'),
  },
  { app: 'lm-studio', file: '.lmstudio/mcp.json', text: crlf('{\n  "mcpServers": {}\n}\n') },
  {
    app: 'codex',
    file: '.codex/config.toml',
    text: crlf('# mine\nmodel = "o4"\n\n[mcp_servers.other]\ncommand = "x"\n'),
  },
  { app: 'gemini-cli', file: '.gemini/settings.json', text: `${bom}{"theme":"Dark","mcpServers":{}}` },
  {
    app: 'windsurf',
    file: '.codeium/windsurf/mcp_config.json',
    text: crlf('{\n    "mcpServers": {\n        "other": {"serverUrl": "https://x.example/mcp"}\n    }\n}\n'),
  },
  {
    app: 'zed',
    file: 'AppData/Roaming/Zed/settings.json',
    text: crlf('// Zed settings\n{\n  "ui_font_size": 16, // big\n  "context_servers": {\n  },\n}\n'),
  },
];

describe('files of AI apps on Windows', () => {
  beforeAll(async () => {
    const added = await postern.run(['local', 'add', 'Here', '--yes', '--', node, plainServer()], { env });
    expect(added).toMatchObject({ code: 0 });
    for (const { file, text } of cases) {
      mkdirSync(path.dirname(path.join(user, file)), { recursive: true });
      writeFileSync(path.join(user, file), text);
    }
  });

  afterAll(async () => {
    await postern.run(['remove', '--all', '--yes'], { env });
  });

  it.each(cases)('adds an entry to $app’s file, changes nothing else, and undoes it byte for byte', async (each) => {
    const file = path.join(user, each.file);
    await postern.json(['use', 'Here', each.app, '--yes'], { env });
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('postern.js');
    for (const part of each.text.match(/(?:\/\/|#) \w+|"other"[^}]*\}|"?\w+"? ?[:=] ?(?:"\w+"|\d+)/gu) ?? [])
      expect(text).toContain(part);
    if (each.text.includes('\r\n')) expect(text.replaceAll('\r\n', '')).not.toContain('\n');

    const { changes } = (await postern.json(['undo'], { env })) as { changes: readonly { id: string }[] };
    const [last] = changes;
    await postern.json(['undo', last?.id ?? '', '--yes'], { env });
    expect(readFileSync(file, 'utf8')).toBe(each.text);
  });
});
