import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { startResource } from '../../support/demo-pair.ts';
import { runPostern, startPostern } from '../../support/postern-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly message: string;
  readonly nextStep?: string;
}

it('says who serves programs, and which entries lead nowhere', async () => {
  const home = temporaryFolder();
  const person = temporaryFolder();
  const env = { HOME: person, XDG_CONFIG_HOME: path.join(person, '.config') };
  const mcp = await startResource(undefined);
  mkdirSync(path.join(person, '.cursor'));
  const checks = async (name: string): Promise<readonly Check[]> => {
    const { last } = await runPostern(['doctor', '--json'], { home, env });
    return (last['checks'] as readonly Check[]).filter((check) => check.name === name);
  };
  await runPostern(['connect', mcp.url, '--local', '--name', 'Notes'], { home, env });
  const used = await runPostern(['use', 'Notes', 'cursor', '--yes', '--json'], { home, env });
  expect(used.code).toBe(0);
  expect(await checks('programs')).toMatchObject([{ ok: true }]);
  expect(await checks('pipe')).toMatchObject([{ ok: true }]);

  const service = startPostern(['serve', '--json'], { home, env });
  const [, socket = ''] = await service.waitFor(/"socket":"([^"]+)"/u);
  const [gateway] = await checks('gateway');
  expect(gateway).toMatchObject({ ok: true, message: expect.stringContaining(socket) });

  const file = path.join(person, '.cursor', 'mcp.json');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(process.execPath, '/nowhere/postern'));
  expect(await checks('programs')).toMatchObject([{ ok: false, nextStep: expect.stringContaining('postern use') }]);
  writeFileSync(file, text);
  await runPostern(['remove', 'Notes', '--json'], { home, env });
  expect(await checks('programs')).toMatchObject([{ ok: false, message: expect.stringContaining('Cursor') }]);
});
