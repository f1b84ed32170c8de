import { McpServer, requireScopes } from '@modelcontextprotocol/server';
import type { AuthInfo, CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { findAccount } from './accounts.ts';

/** Notes by user name, until the process ends. */
export type Notes = Map<string, string[]>;

const readOnly = { readOnlyHint: true, openWorldHint: false };

/** One MCP server per request, with the demo's tools; `authInfo` identifies the user. */
export function createNotesServer(notes: Notes, authInfo: AuthInfo | undefined): McpServer {
  const subject = authInfo?.extra?.['username'];
  const username = typeof subject === 'string' ? subject : 'guest';
  const mine = notes.get(username) ?? [];
  const server = new McpServer(
    { name: 'fieldnotes', title: 'Fieldnotes', version: '1.0.0' },
    { instructions: 'A small notebook for the demo. Notes are stored until the demo ends.' },
  );

  server.registerTool(
    'whoami',
    {
      title: 'Who am I?',
      description: 'Says who is signed in, and what this connection may do.',
      annotations: readOnly,
    },
    () => {
      const name = findAccount(username)?.name ?? 'a guest (this server asks nobody to sign in)';
      const scopes = authInfo?.scopes ?? [];
      const may = scopes.length === 0 ? '' : `\nThis connection may use: ${scopes.join(', ')}`;
      return text(`You are ${name}.${may}`);
    },
  );

  server.registerTool(
    'time_in',
    {
      title: 'Time in a place',
      description: 'The current date and time in a time zone, for example Europe/Berlin.',
      inputSchema: z.object({ zone: z.string().describe('An IANA time zone, for example Asia/Tokyo').default('UTC') }),
      annotations: readOnly,
    },
    ({ zone }) => {
      try {
        const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, dateStyle: 'full', timeStyle: 'long' });
        return text(format.format(new Date()));
      } catch {
        return failure(`There is no time zone “${zone}”. Try Europe/Berlin or Asia/Tokyo.`);
      }
    },
  );

  server.registerTool(
    'word_count',
    {
      title: 'Count words',
      description: 'Counts the words and characters of a text.',
      inputSchema: z.object({ text: z.string().describe('Any text') }),
      annotations: readOnly,
    },
    (input) => {
      const words = [...new Intl.Segmenter('en', { granularity: 'word' }).segment(input.text)];
      const count = words.filter(({ isWordLike }) => isWordLike).length;
      return text(`${count} ${count === 1 ? 'word' : 'words'}, ${[...input.text].length} characters`);
    },
  );

  server.registerTool(
    'list_notes',
    {
      title: 'List notes',
      description: 'All notes of the signed-in user, oldest first.',
      annotations: readOnly,
      scopeChallenge: requireScopes('notes:read'),
    },
    () => text(mine.length === 0 ? 'There are no notes yet.' : mine.map((note, i) => `${i + 1}. ${note}`).join('\n')),
  );

  server.registerTool(
    'add_note',
    {
      title: 'Add a note',
      description: 'Keeps a short text.',
      inputSchema: z.object({ text: z.string().min(1).max(2000).describe('What to remember') }),
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
      scopeChallenge: requireScopes('notes:write'),
    },
    (input) => {
      notes.set(username, [...mine, input.text]);
      return text(`Kept. There ${mine.length === 0 ? 'is 1 note' : `are ${mine.length + 1} notes`} now.`);
    },
  );

  server.registerTool(
    'delete_notes',
    {
      title: 'Delete all notes',
      description: 'Removes every note. Asks for the further permission notes:admin.',
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
      scopeChallenge: requireScopes('notes:admin'),
    },
    () => {
      notes.delete(username);
      return text(mine.length === 1 ? 'Removed 1 note.' : `Removed ${mine.length} notes.`);
    },
  );

  return server;
}

function text(value: string): CallToolResult {
  return { content: [{ type: 'text', text: value }] };
}

function failure(value: string): CallToolResult {
  return { ...text(value), isError: true };
}
