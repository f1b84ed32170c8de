import { readFileSync, writeFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { openLoopbackProvider } from './loopback-provider.ts';
import type { Kept } from './loopback-provider.ts';

/**
 * `sdk-program.ts URL FILE [stored]`: a small program on the official client with its own sign-in. Keeps what it got
 * in FILE, or begins with that. Tells the milliseconds from after its imports to the list of tools.
 */
const [, , address = '', file = '', mode] = process.argv;
const start = performance.now();
const url = new URL(address);
const kept: Kept = mode === 'stored' ? (JSON.parse(readFileSync(file, 'utf8')) as Kept) : {};
const { provider, callback } = await openLoopbackProvider(kept);

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
if (mode !== 'stored') writeFileSync(file, JSON.stringify(kept), { mode: 0o600 });
process.exit();
