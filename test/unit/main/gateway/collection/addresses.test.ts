import { expect, it } from 'vitest';
import { Addresses } from '../../../../../main/gateway/collection/addresses.ts';
import type { Member } from '../../../../../main/gateway/collection/member.ts';

const member = (alias: string) => ({ id: alias, alias, hasCapability: () => true, handshake: {} }) as unknown as Member;

it('rewrites the addresses of a long result as in a short one, and leaves a result without addresses unchanged', async () => {
  const [github, notes] = [member('github'), member('notes')];
  const addresses = new Addresses(() => [github, notes]);
  for (const each of [github, notes]) await addresses.learn(each, 'resources/list', ['a://shared']);
  const link = (uri: string) => ({ type: 'resource_link', uri, name: 'x' });
  const content = Array.from({ length: 120 }, (_, at) =>
    link(at % 3 === 0 ? 'a://shared' : `postern://github/a://${at}`),
  );
  const result = {
    content: [...content, { type: 'text', text: 'a://shared' }],
    structuredContent: { uri: 'a://shared' },
  };
  const rewritten = await addresses.rewriteResult(github, result);
  expect(rewritten).toEqual(addresses.rewriteAddresses(github, result));
  expect(rewritten).toHaveProperty(['content', 117, 'uri'], 'postern://github/a://shared');
  const plain = { content: Array.from({ length: 120 }, () => ({ type: 'text', text: 'a://shared' })) };
  expect(await addresses.rewriteResult(github, plain)).toBe(plain);
});
