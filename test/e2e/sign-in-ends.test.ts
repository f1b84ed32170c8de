import { describe, expect, it } from 'vitest';
import { requestsTo, startPair } from '../support/demo-pair.ts';
import { openProgram, runtime } from './kit/open-program.ts';
import { connected, look, runTool, signIn, start } from './kit/person.ts';
import { shiftClock } from './kit/shift-clock.ts';

const minute = 60_000;

describe(`a sign-in that does not succeed, ${runtime}`, () => {
  it('says that it was refused on the sign-in page, keeps nothing, and can begin again', async () => {
    const { as, mcp } = await startPair();
    const program = await openProgram();
    const { page } = program;
    await look(page, mcp.url);
    await start(page, 'Add and sign in', 'Denied');
    await signIn(await program.popup(as.origin), 'Deny');
    await page.getByText('says that the access was refused. Nothing was saved.').waitFor();
    await expect.poll(() => program.popups()).toEqual([]);
    expect(requestsTo(as, '/token')).toEqual([]);
    await page.getByRole('button', { name: 'Try again' }).click();
    await signIn(await program.popup(as.origin));
    await connected(page, 'Denied');
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
  });

  it('is over when its window is closed', async () => {
    const { as, mcp } = await startPair();
    const program = await openProgram();
    const { page } = program;
    await look(page, mcp.url);
    await start(page, 'Add and sign in', 'Closed');
    const popup = await program.popup(as.origin);
    await popup.getByLabel('User name').waitFor();
    const link = new URL(requestsTo(as, '/authorize')[0]?.query.get('redirect_uri') ?? '');
    await popup.close();
    await page.getByText('Cancelled. Nothing was saved.').waitFor();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await expect(fetch(link)).rejects.toThrow();
    expect(requestsTo(as, '/token')).toEqual([]);
    expect(await page.locator('.integration-row').count()).toBe(0);
  });

  it('expires ten minutes after it began, whatever the page does later (spec 2.7)', async () => {
    const { as, mcp } = await startPair();
    const program = await openProgram();
    const { page } = program;
    const pass = await shiftClock(program.window);
    await look(page, mcp.url);
    await start(page, 'Add and sign in', 'Slow');
    const popup = await program.popup(as.origin);
    await popup.getByLabel('User name').waitFor();
    await pass(9.9 * minute);
    await page.getByRole('heading', { name: 'Sign in at' }).waitFor();
    expect(popup.isClosed()).toBe(false);
    await pass(0.2 * minute);
    await page.getByText('It stopped at the sign-in page.').waitFor();
    await page.getByText('STATE_EXPIRED').waitFor();
    await expect.poll(() => program.popups()).toEqual([]);
    await page.getByRole('button', { name: 'Try again' }).click();
    await signIn(await program.popup(as.origin));
    await connected(page, 'Slow');
    expect(await runTool(page, 'Who am I?')).toContain('Demo User');
  });
});
