import { startNotesServer } from '../support/notes-server.ts';
import { runPostern } from '../support/postern-process.ts';
import { expect, test } from './kit/window-test.ts';

test('a command run beside an open window is run by it, in the session of the previous one', async ({
  openPostern,
}) => {
  const { window, profile: home } = await openPostern();
  const { url, began } = await startNotesServer('session');
  // As in a terminal of the same desktop session.
  const env = await window.evaluate(() => ({ ...process.env }));
  const run = (...words: string[]) => runPostern(words, { home, env });
  expect(await run('connect', url, '--local', '--name', 'Notes', '--json')).toMatchObject({ code: 0 });
  const before = began.length;
  for (let calls = 0; calls < 3; calls += 1) expect(await run('call', 'Notes', 'look')).toMatchObject({ code: 0 });
  expect(began.length).toBe(before + 1);
});
