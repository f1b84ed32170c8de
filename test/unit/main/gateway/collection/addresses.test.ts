import { expect, it } from 'vitest';
import { Addresses } from '../../../../../main/gateway/collection/addresses.ts';
import type { Member } from '../../../../../main/gateway/collection/member.ts';

const member = (alias: string) => ({ id: alias, alias, can: () => true, handshake: {} }) as unknown as Member;

it('gives a long result the same addresses as a short one, and leaves one without any as it is', async () => {
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
  const said = await addresses.resultInWords(github, result);
  expect(said).toEqual(addresses.inWords(github, result));
  expect(said).toHaveProperty(['content', 117, 'uri'], 'postern://github/a://shared');
  const plain = { content: Array.from({ length: 120 }, () => ({ type: 'text', text: 'a://shared' })) };
  expect(await addresses.resultInWords(github, plain)).toBe(plain);
});
