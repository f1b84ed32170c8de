import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { boundedQuestionHandler } from '../../../../../main/engine/use/use-server.ts';
import { elicitation } from '../../../../../main/limits.ts';
import { readQuestionFields, ServerQuestions } from '../../../../../main/mcp/client/server-questions.ts';
import type { QuestionAnswer, UserPrompter, ServerQuestion } from '../../../../../main/mcp/client/server-questions.ts';
import { CallTimeout } from '../../../../../main/mcp/client/call-tool.ts';
import { isValidAnswer, asksForSecret } from '../../../../../shared/question-field.ts';
import { anIntegration } from '../../../../support/an-integration.ts';

const { signal } = new AbortController();
const form = (properties: object, required: readonly string[] = []) => ({
  message: 'What?',
  requestedSchema: { type: 'object', properties, required },
});
const oneText = form({ a: { type: 'string' } });

/** A user who answers with `answer`; the address policy is that of a public server unless `local`. */
function user(respond: (question: ServerQuestion, signal: AbortSignal) => Promise<QuestionAnswer>, local = false) {
  const prompts: ServerQuestion[] = [];
  const refused: string[] = [];
  const integration = anIntegration({ url: 'https://mcp.example/mcp' });
  const callTimeout = new CallTimeout({ silence: 60_000, longest: 600_000 }, { host: 'mcp.example', tool: 't' });
  onTestFinished(() => callTimeout.stop());
  const prompter: UserPrompter = boundedQuestionHandler(
    {
      ask: async (question, ending) => {
        prompts.push(question);
        return await respond(question, ending);
      },
      onRefused: (why) => void refused.push(why),
    },
    { url: integration.url, options: { ...integration.options, local } },
    callTimeout,
  );
  return { prompts, refused, prompter };
}

const accept = async (): Promise<QuestionAnswer> => ({ action: 'accept', content: { a: 'yes' } });

describe('questions from a server', () => {
  it('EL-02 reach the user at most twenty times per call, one after the other', async () => {
    const questions = new ServerQuestions();
    let atOnce = 0;
    let most = 0;
    const { prompts, refused, prompter } = user(async () => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await Promise.resolve();
      atOnce -= 1;
      return await accept();
    });
    const answers = await questions.runWithPrompter(prompter, signal, () =>
      Promise.all(Array.from({ length: 1_000 }, () => questions.answer(oneText))),
    );
    expect(prompts).toHaveLength(elicitation.count);
    expect(most).toBe(1);
    expect(answers.filter(({ action }) => action === 'accept')).toHaveLength(elicitation.count);
    expect(answers.at(-1)).toEqual({ action: 'cancel' });
    expect(refused).toHaveLength(1);
  });

  it('EL-06 are cancelled without asking while no call is in flight', async () => {
    const questions = new ServerQuestions();
    const { prompts, prompter } = user(accept);
    expect(await questions.answer(oneText)).toEqual({ action: 'cancel' });
    await questions.runWithPrompter(prompter, signal, async () => {});
    expect(await questions.answer(oneText)).toEqual({ action: 'cancel' });
    expect(prompts).toEqual([]);
  });

  it('are cancelled after ten minutes, and the user is notified', async () => {
    const late = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal);
    onTestFinished(() => timeout.mockRestore());
    const questions = new ServerQuestions();
    const { refused, prompter } = user(async (_, ending) => {
      queueMicrotask(() => late.abort());
      await new Promise<void>((resolve) => {
        late.signal.addEventListener('abort', () => resolve());
      });
      ending.throwIfAborted();
      return await accept();
    });
    const answer = await questions.runWithPrompter(prompter, signal, () => questions.answer(oneText));
    expect(answer).toEqual({ action: 'cancel' });
    expect(refused).toEqual(['too-late']);
    expect(timeout).toHaveBeenCalledWith(600_000);
  });

  it('go to the user of the newest call, and afterwards to that of the one before', async () => {
    const questions = new ServerQuestions();
    const [one, other] = [user(accept), user(accept)];
    await questions.runWithPrompter(one.prompter, signal, async () => {
      await questions.runWithPrompter(other.prompter, signal, () => questions.answer(oneText));
      await questions.answer(oneText);
    });
    expect([one.prompts.length, other.prompts.length]).toEqual([1, 1]);
  });

  it('go to the user of the call that they belong to, and name it, even if another call is newer', async () => {
    const questions = new ServerQuestions();
    const [one, other] = [user(accept), user(accept)];
    const begun = Promise.withResolvers<void>();
    const older = questions.runWithPrompter(one.prompter, signal, async () => {
      await begun.promise;
      await questions.answer(oneText);
    });
    await questions.runWithPrompter(other.prompter, signal, async () => {
      begun.resolve();
      await older;
    });
    expect([one.prompts.map(({ belongsToCall }) => belongsToCall), other.prompts]).toEqual([[true], []]);
  });

  it('without a call belong to no particular call if several are in flight', async () => {
    const questions = new ServerQuestions();
    const [one, other] = [user(accept), user(accept)];
    const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const older = questions.runWithPrompter(one.prompter, signal, () => over.promise);
    const newer = questions.runWithPrompter(other.prompter, signal, async () => {
      begun.resolve();
      await over.promise;
    });
    await begun.promise;
    await questions.answer(oneText);
    over.resolve();
    await Promise.all([older, newer]);
    expect([one.prompts, other.prompts.map(({ belongsToCall }) => belongsToCall)]).toEqual([[], [false]]);
  });

  it('EL-06 are cancelled without asking if their call has ended', async () => {
    const questions = new ServerQuestions();
    const { prompts, prompter } = user(accept);
    await questions.runWithPrompter(prompter, signal, async () => {
      const answer = await questions.runWithPrompter(undefined, signal, () => questions.answer(oneText));
      expect(answer).toEqual({ action: 'cancel' });
    });
    expect(prompts).toEqual([]);
  });

  it('end when their call has its result', async () => {
    const questions = new ServerQuestions();
    let ending: AbortSignal | undefined;
    const { prompter } = user(async (_, given) => {
      ending = given;
      return await new Promise(() => {});
    });
    await questions.runWithPrompter(prompter, signal, async () => {
      void questions.answer(oneText);
      await vi.waitFor(() => expect(ending).toBeDefined());
    });
    expect(ending?.aborted).toBe(true);
  });

  it('end when their call is cancelled', async () => {
    const questions = new ServerQuestions();
    const end = new AbortController();
    const { prompter } = user(
      (_, ending) =>
        new Promise((_resolve, reject) => ending.addEventListener('abort', () => reject(new Error('ended')))),
    );
    const answer = questions.runWithPrompter(prompter, end.signal, () => questions.answer(oneText));
    await Promise.resolve();
    end.abort();
    expect(await answer).toEqual({ action: 'cancel' });
  });

  it('EL-08 receive only the requested fields, and no incomplete answer', async () => {
    const questions = new ServerQuestions();
    const { prompter } = user(async () => ({ action: 'accept', content: { a: 'yes', b: 'more' } }));
    const ask = (question: object) => questions.runWithPrompter(prompter, signal, () => questions.answer(question));
    expect(await ask(oneText)).toEqual({ action: 'accept', content: { a: 'yes' } });
    expect(await ask(form({ c: { type: 'string' } }, ['c']))).toEqual({ action: 'cancel' });
    expect(await ask(form({ a: { type: 'number' } }))).toEqual({ action: 'accept', content: {} });
  });

  it('that open a page end when the server reports completion', async () => {
    const questions = new ServerQuestions();
    const { prompts, prompter } = user(async (question) => {
      if (question.kind === 'page') await question.completed;
      return { action: 'accept' };
    });
    const page = { mode: 'url', message: 'Pay', url: 'https://pay.example/', elicitationId: 'p' };
    const answer = questions.runWithPrompter(prompter, signal, () => questions.answer(page, true));
    await vi.waitFor(() => expect(prompts).toHaveLength(1));
    questions.complete('other');
    questions.complete('p');
    expect(await answer).toEqual({ action: 'accept' });
  });
});

describe('a page that a server wants opened', () => {
  const ask = async (url: string) => {
    const questions = new ServerQuestions();
    const { prompts, refused, prompter } = user(async () => ({ action: 'accept' }));
    const page = { mode: 'url', message: 'Go', url, elicitationId: 'p' };
    const answer = await questions.runWithPrompter(prompter, signal, () => questions.answer(page));
    return { answer, prompts, refused };
  };

  it.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'vscode://open',
    'https://me:secret@pay.example/',
    'http://pay.example/',
    'https://192.168.1.1/reboot',
    'http://127.0.0.1:8080/',
    'https://169.254.169.254/latest',
    `https://pay.example/${'x'.repeat(20_000)}`,
    'pay.example',
  ])('EL-04 is declined without asking: %s', async (url) => {
    expect(await ask(url)).toMatchObject({ answer: { action: 'decline' }, prompts: [], refused: ['address'] });
  });

  it('EL-05 is shown with its host in punycode, so that look-alikes stand out', async () => {
    const { prompts } = await ask('https://p\u0430y.example/');
    expect(prompts).toMatchObject([{ address: expect.stringMatching(/^https:\/\/xn--[a-z0-9-]+\.example\/$/u) }]);
  });
});

describe('a form', () => {
  const bomb = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`f${index}`, { type: 'string' }]));
  it.each<[string, object]>([
    ['10,000 fields', bomb],
    ['10,000 choices', { a: { type: 'string', enum: Array.from({ length: 10_000 }, (_, index) => `c${index}`) } }],
    ['a nested object', { a: { type: 'object', properties: { b: { type: 'string' } } } }],
    ['a reference', { a: { $ref: '#/properties/a' } }],
    ['a list of strings', { a: { type: 'array', items: { type: 'string' } } }],
    ['an overlong name', { ['x'.repeat(1_000)]: { type: 'string' } }],
  ])('EL-03 with %s is declined without asking', async (_, properties) => {
    const questions = new ServerQuestions();
    const { prompts, refused, prompter } = user(accept);
    expect(await questions.runWithPrompter(prompter, signal, () => questions.answer(form(properties)))).toEqual({
      action: 'decline',
    });
    expect({ prompts, refused }).toEqual({ prompts: [], refused: ['form'] });
  });

  it('EL-03 shows a pattern but never runs it', () => {
    const [field] = readQuestionFields(form({ a: { type: 'string', pattern: '^(a+)+$' } }).requestedSchema) ?? [];
    expect(field).toMatchObject({ pattern: '^(a+)+$' });
    expect(field && isValidAnswer(field, `${'a'.repeat(5_000)}!`)).toBe(true);
  });

  it('EL-07 strips escapes and direction overrides from labels and choices', () => {
    const hostile = 'a\u001b[2J\u202eb';
    const fields = readQuestionFields(
      form({ x: { type: 'string', title: hostile, description: hostile, oneOf: [{ const: 'v', title: hostile }] } })
        .requestedSchema,
    );
    expect(JSON.stringify(fields)).not.toMatch(/\\u001b|\u202e/u);
  });

  const reads = (schema: object) => readQuestionFields(form({ a: schema }).requestedSchema)?.[0];
  it.each<[object, unknown, boolean]>([
    [{ type: 'string', minLength: 2, maxLength: 3 }, 'a', false],
    [{ type: 'string', minLength: 2, maxLength: 3 }, '😀😀', true],
    [{ type: 'string', minLength: 2, maxLength: 3 }, 'abcd', false],
    [{ type: 'string', format: 'email' }, 'a@b.example', true],
    [{ type: 'string', format: 'email' }, 'a b@c', false],
    [{ type: 'string', format: 'uri' }, 'https://a.example', true],
    [{ type: 'string', format: 'uri' }, 'a b', false],
    [{ type: 'string', format: 'date' }, '2027-05-31', true],
    [{ type: 'string', format: 'date' }, '2027-05-32', false],
    [{ type: 'string', format: 'date-time' }, '2027-05-31T09:30:00Z', true],
    [{ type: 'string', format: 'date-time' }, '2027-05-31', false],
    [{ type: 'integer', minimum: 1, maximum: 3 }, 3, true],
    [{ type: 'integer', minimum: 1, maximum: 3 }, 4, false],
    [{ type: 'integer' }, 1.5, false],
    [{ type: 'number' }, 1.5, true],
    [{ type: 'number' }, Number.NaN, false],
    [{ type: 'boolean' }, 'true', false],
    [{ type: 'string', enum: ['x'] }, 'y', false],
    [{ type: 'string', oneOf: [{ const: 'x', title: 'X' }] }, 'x', true],
    [{ type: 'array', minItems: 1, maxItems: 2, items: { type: 'string', enum: ['x', 'y', 'z'] } }, ['x', 'z'], true],
    [{ type: 'array', minItems: 1, items: { anyOf: [{ const: 'x', title: 'X' }] } }, [], false],
    [{ type: 'array', items: { type: 'string', enum: ['x', 'y'] } }, ['x', 'x'], false],
    [{ type: 'array', maxItems: 1, items: { type: 'string', enum: ['x', 'y'] } }, ['x', 'y'], false],
  ])('accepts for %j the value %j: %s', (schema, value, fits) => {
    const field = reads(schema);
    expect(field && isValidAnswer(field, value)).toBe(fits);
  });

  it('starts with the server’s default if it is valid', () => {
    expect(reads({ type: 'integer', default: 3 })).toMatchObject({ initial: 3 });
    expect(reads({ type: 'integer', maximum: 2, default: 3 })).not.toHaveProperty('initial');
  });

  it.each([
    ['password', true],
    ['Passwort', true],
    ['API key', true],
    ['client_secret', true],
    ['street', false],
    ['passenger', false],
  ])('EL-08 that asks for %s is recognized as asking for a secret: %s', (title, looks) => {
    const field = reads({ type: 'string', title });
    expect(field && asksForSecret(field)).toBe(looks);
  });
});
