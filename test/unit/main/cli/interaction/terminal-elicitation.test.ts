import { expect, it } from 'vitest';
import { browserAddress } from '../../../../../main/address/check-address.ts';
import { terminalElicitation } from '../../../../../main/cli/interaction/terminal-elicitation.ts';
import type { CommandContext } from '../../../../../main/cli/command-context.ts';
import { readQuestionFields } from '../../../../../main/mcp/client/server-questions.ts';
import type { ServerQuestion } from '../../../../../main/mcp/client/server-questions.ts';

/** How many lines are written before the user declines the question. */
async function linesOf(question: ServerQuestion): Promise<number> {
  let lines = 0;
  const context = {
    prompt: () => void (lines += 1),
    stdin: { next: async () => 'decline' },
    steps: { clear: () => {} },
  } as unknown as CommandContext;
  const integration = { name: 'x', url: 'https://mcp.example/mcp' };
  const user = terminalElicitation(context, { integration, tool: 't', onContinue: () => {} });
  expect(await user.ask(question, new AbortController().signal)).toEqual({ action: 'decline' });
  return lines;
}

const page = (host: string): Promise<number> =>
  linesOf({
    ...{ kind: 'page', message: 'Pay', belongsToCall: true, address: browserAddress(`https://${host}/`) },
    ...{ isRequired: false, completed: Promise.resolve() },
  });

const form = (title: string): Promise<number> => {
  const fields = readQuestionFields({ properties: { a: { type: 'string', title } } }) ?? [];
  return linesOf({ kind: 'form', message: 'What?', belongsToCall: true, fields });
};

it('EL-05 warns of a page whose host imitates another host', async () => {
  expect(await page('xn--pple-43d.com')).toBe((await page('apple.com')) + 1);
});

it('EL-08 warns of a form that seems to ask for a secret', async () => {
  expect(await form('Password')).toBe((await form('Street')) + 1);
});
