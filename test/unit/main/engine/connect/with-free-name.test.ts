import { describe, expect, it } from 'vitest';
import { withFreeName } from '../../../../../main/engine/connect/with-free-name.ts';
import type { Integration } from '../../../../../shared/integration.ts';
import { anIntegration } from '../../../../support/an-integration.ts';
import { createRefreshWorld } from '../../../../support/refresh-world.ts';

const url = 'https://notes.example/mcp';

function openWorld() {
  const { ports } = createRefreshWorld();
  const install = (id: string) => async (name: string) => await ports.store.write(anIntegration({ id, name, url }));
  const nameOf = async (id: string): Promise<string | undefined> => (await ports.store.read(id))?.name;
  return { ports, install, nameOf };
}

describe('withFreeName', () => {
  it('gives concurrent installations different names', async () => {
    const { ports, install, nameOf } = openWorld();
    const ids = ['one', 'two', 'three'];
    await Promise.all(ids.map((id) => withFreeName(ports, { name: 'Notes', url }, install(id))));
    const names = await Promise.all(ids.map(nameOf));
    expect(new Set(names)).toEqual(new Set(['Notes', 'Notes 2', 'Notes 3']));
  });

  it('takes over the name of the replaced server, and of no other', async () => {
    const { ports, install, nameOf } = openWorld();
    await withFreeName(ports, { name: 'Notes', url }, install('old'));
    const request = { name: 'Notes', url, takesNameOf: 'old' };
    await withFreeName(ports, request, install('new'));
    await withFreeName(ports, request, install('newer'));
    expect([await nameOf('new'), await nameOf('newer')]).toEqual(['Notes', 'Notes 2']);
  });

  it.each<[string | undefined, Integration['name']]>([
    [undefined, 'notes.example'],
    ['\u202e', 'notes.example'],
    ['Notes', 'Notes'],
  ])('turns %j into the name %s', async (name, expected) => {
    const { ports } = openWorld();
    expect(await withFreeName(ports, { name, url }, async (free) => free)).toBe(expected);
  });
});
