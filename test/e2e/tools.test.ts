import { startPair } from '../support/demo-pair.ts';
import { connect } from './kit/person.ts';
import { expect, test } from './kit/window-test.ts';

test.describe('a tool', () => {
  test('that deletes runs at a second yes alone', async ({ openProgram }) => {
    const { as, mcp } = await startPair();
    const program = await openProgram();
    const { page } = program;
    await connect(program, as, mcp.url, 'Field notes');
    const calls = () => mcp.requests.filter(({ rpcMethod }) => rpcMethod === 'tools/call');
    await page.getByRole('listbox', { name: 'Tools' }).getByRole('option', { name: 'Delete all notes' }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const question = page.getByRole('dialog');
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    expect(calls()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await question.getByRole('button', { name: 'Run it' }).click();
    await expect(page.getByRole('alert').getByRole('button', { name: 'Grant access' })).toBeVisible();
    expect(calls()).toHaveLength(1);
  });

  test('that lacks input says so beside its button, and leads to the field', async ({ openProgram }) => {
    const { as, mcp } = await startPair();
    const program = await openProgram();
    const { page } = program;
    await connect(program, as, mcp.url, 'Field notes');
    await page.getByRole('listbox', { name: 'Tools' }).getByRole('option', { name: 'Add a note' }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const field = page.getByRole('textbox', { name: /^Text/iu });
    await expect(field).toBeFocused();
    await expect(page.getByText('One field needs attention.')).toBeVisible();
    await page.keyboard.type('Milk');
    await expect(field).not.toHaveAttribute('aria-invalid');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(page.locator('.result')).toBeVisible();
  });
});
