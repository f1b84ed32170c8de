import { expect, it } from 'vitest';
import { browserAddress } from '../../../../../main/address/check-address.ts';
import { questionedOnTerminal } from '../../../../../main/cli/asking/questioned-on-terminal.ts';
import type { CommandContext } from '../../../../../main/cli/command-context.ts';
import { readQuestionFields } from '../../../../../main/mcp/client/server-questions.ts';
import type { ServerQuestion } from '../../../../../main/mcp/client/server-questions.ts';

/** How many times something is written before the person says no to the question. */
async function linesOf(question: ServerQuestion): Promise<number> {
  let lines = 0;
  const context = {
    prompt: () => void (lines += 1),
    stdin: { next: async () => 'decline' },
    steps: { clear: () => {} },
  } as unknown as CommandContext;
  const integration = { name: 'x', url: 'https://mcp.example/mcp' };
  const person = questionedOnTerminal(context, { integration, tool: 't', goOn: () => {} });
  expect(await person.ask(question, new AbortController().signal)).toEqual({ action: 'decline' });
  return lines;
}

const page = (host: string): Promise<number> =>
  linesOf({
    ...{ kind: 'page', message: 'Pay', isOfCall: true, address: browserAddress(`https://${host}/`) },
    ...{ isRequired: false, completed: Promise.resolve() },
  });

const form = (title: string): Promise<number> => {
  const fields = readQuestionFields({ properties: { a: { type: 'string', title } } }) ?? [];
  return linesOf({ kind: 'form', message: 'What?', isOfCall: true, fields });
};

it('EL-05 warns of a page whose host looks like another one', async () => {
  expect(await page('xn--pple-43d.com')).toBe((await page('apple.com')) + 1);
});

it('EL-08 warns of a form that asks for what looks like a secret', async () => {
  expect(await form('Password')).toBe((await form('Street')) + 1);
});
