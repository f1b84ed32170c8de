import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ParameterHeaders } from '../../../../../main/gateway/messages/parameter-headers.ts';

function moduleAt(name: string): string {
  const folder = path.join(import.meta.dirname, '../../../../../main/gateway/messages');
  return pathToFileURL(path.join(folder, name)).href;
}

/** Learns a schema 400 levels deep with 300,000 properties at the bottom, and prints the header fields of a call. */
const learnDeepSchema = `
  import { ParameterHeaders } from ${JSON.stringify(moduleAt('parameter-headers.ts'))};
  import { readEnvelope } from ${JSON.stringify(moduleAt('envelope.ts'))};
  const properties = Object.fromEntries(Array.from({ length: 300_000 }, (_, index) => ['p' + index, {}]));
  properties.region = { type: 'string', 'x-mcp-header': 'Region' };
  let [schema, input] = [{ properties }, { region: 'eu' }];
  for (let level = 0; level < 400; level += 1) [schema, input] = [{ properties: { a: schema } }, { a: input }];
  const parameters = new ParameterHeaders();
  parameters.learn({ name: 'look', inputSchema: schema });
  const params = { name: 'look', arguments: input };
  const call = readEnvelope(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })));
  console.log(JSON.stringify(parameters.of(call)));`;

it('reads a schema that is both deep and wide without copying each path (GW-16)', () => {
  // Copying each path takes a gigabyte; this heap has no room for it, however late garbage is collected.
  const words = ['--max-old-space-size=256', '--input-type=module', '-e', learnDeepSchema];
  const stdout = execFileSync(process.execPath, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  expect(JSON.parse(stdout)).toEqual({ 'mcp-param-region': 'eu' });
});

it('copies a bounded number of arguments into header fields (GW-16)', () => {
  const field = (index: number) => [`p${index}`, { type: 'string', 'x-mcp-header': `P${index}` }];
  const properties = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => field(index)));
  const parameters = new ParameterHeaders();
  parameters.learn({ name: 'look', inputSchema: { properties } });
  expect(parameters.namesOf('look')).toHaveLength(64);
});
