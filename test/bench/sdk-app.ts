import { readFileSync, writeFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { openLoopbackProvider } from './loopback-provider.ts';
import type { SavedClient } from './loopback-provider.ts';

/**
 * `sdk-app.ts URL FILE [stored]`: a small app with the official client and its own sign-in. Stores what it received in
 * FILE, or starts from it. Prints the milliseconds from after its imports to the tool list.
 */
const [, , address = '', file = '', mode] = process.argv;
const start = performance.now();
const url = new URL(address);
const saved: SavedClient = mode === 'stored' ? (JSON.parse(readFileSync(file, 'utf8')) as SavedClient) : {};
const { provider, callback } = await openLoopbackProvider(saved);

async function connect(): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(url, { authProvider: provider }));
  return client;
}

async function signIn(): Promise<Client> {
  const transport = new StreamableHTTPClientTransport(url, { authProvider: provider });
  try {
    await new Client({ name: 'bench', version: '1' }).connect(transport);
    throw new Error('The server let it in without a sign-in.');
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
  }
  await transport.finishAuth(await callback);
  return await connect();
}

const client = mode === 'stored' ? await connect() : await signIn();
const { tools } = await client.listTools();
const milliseconds = performance.now() - start;
console.log(JSON.stringify({ milliseconds, tools: tools.length }));
if (mode !== 'stored') writeFileSync(file, JSON.stringify(saved), { mode: 0o600 });
process.exit();
