import { expect, it } from 'vitest';
import { readEnvelope } from '../../../../../main/gateway/messages/envelope.ts';
import { ParameterHeaders } from '../../../../../main/gateway/messages/parameter-headers.ts';

const depth = 400;

/** A schema that is `depth` deep, with these properties at the bottom. */
function deepSchema(bottom: object): object {
  let schema: object = { properties: bottom };
  for (let level = 0; level < depth; level += 1) schema = { properties: { a: schema } };
  return schema;
}

it('reads a schema that is deep and wide at once with no copy of each way (GW-16)', () => {
  const wide = Object.fromEntries(Array.from({ length: 300_000 }, (_, index) => [`p${index}`, {}]));
  const schema = deepSchema({ ...wide, region: { type: 'string', 'x-mcp-header': 'Region' } });
  const parameters = new ParameterHeaders();
  const before = process.resourceUsage().maxRSS;
  parameters.learn({ tools: [{ name: 'look', inputSchema: schema }] });
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(300 * 1_024);
  let input: unknown = { region: 'eu' };
  for (let level = 0; level < depth; level += 1) input = { a: input };
  const params = { name: 'look', arguments: input };
  const call = readEnvelope(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })));
  expect(call.kind === 'request' && parameters.of(call)).toEqual({ 'mcp-param-region': 'eu' });
});

it('repeats a bounded number of arguments in header fields (GW-16)', () => {
  const field = (index: number) => [`p${index}`, { type: 'string', 'x-mcp-header': `P${index}` }];
  const properties = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => field(index)));
  const parameters = new ParameterHeaders();
  parameters.learn({ tools: [{ name: 'look', inputSchema: { properties } }] });
  expect(parameters.namesOf('look')).toHaveLength(64);
});
