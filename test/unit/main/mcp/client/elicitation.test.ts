import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { questionedPerson } from '../../../../../main/engine/use/use-server.ts';
import { serverQuestion } from '../../../../../main/limits.ts';
import { readQuestionFields, ServerQuestions } from '../../../../../main/mcp/client/server-questions.ts';
import type {
  QuestionAnswer,
  QuestionedPerson,
  ServerQuestion,
} from '../../../../../main/mcp/client/server-questions.ts';
import { CallPatience } from '../../../../../main/mcp/client/use-tools.ts';
import { fitsField, wantsSecret } from '../../../../../shared/question-field.ts';
import { anIntegration } from '../../../../support/an-integration.ts';

const { signal } = new AbortController();
const form = (properties: object, required: readonly string[] = []) => ({
  message: 'What?',
  requestedSchema: { type: 'object', properties, required },
});
const oneText = form({ a: { type: 'string' } });

/** A person who answers as `answer` says, with the address rules of a public server. */
function person(answer: (question: ServerQuestion, signal: AbortSignal) => Promise<QuestionAnswer>, local = false) {
  const asked: ServerQuestion[] = [];
  const refused: string[] = [];
  const integration = anIntegration({ url: 'https://mcp.example/mcp' });
  const patience = new CallPatience({ silence: 60_000, longest: 600_000 }, { host: 'mcp.example', tool: 't' });
  onTestFinished(() => patience.stop());
  const questioned: QuestionedPerson = questionedPerson(
    {
      ask: async (question, ending) => {
        asked.push(question);
        return await answer(question, ending);
      },
      refused: (why) => void refused.push(why),
    },
    { url: integration.url, options: { ...integration.options, local } },
    patience,
  );
  return { asked, refused, questioned };
}

const accept = async (): Promise<QuestionAnswer> => ({ action: 'accept', content: { a: 'yes' } });

describe('questions of a server', () => {
  it('EL-02 reach the person twenty times in one call, one after the other, however many it sends', async () => {
    const questions = new ServerQuestions();
    let atOnce = 0;
    let most = 0;
    const { asked, refused, questioned } = person(async () => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await Promise.resolve();
      atOnce -= 1;
      return await accept();
    });
    const answers = await questions.during(questioned, signal, () =>
      Promise.all(Array.from({ length: 1_000 }, () => questions.answer(oneText))),
    );
    expect(asked).toHaveLength(serverQuestion.count);
    expect(most).toBe(1);
    expect(answers.filter(({ action }) => action === 'accept')).toHaveLength(serverQuestion.count);
    expect(answers.at(-1)).toEqual({ action: 'cancel' });
    expect(refused).toHaveLength(1);
  });

  it('EL-06 are answered without anybody while nobody waits for a call', async () => {
    const questions = new ServerQuestions();
    const { asked, questioned } = person(accept);
    expect(await questions.answer(oneText)).toEqual({ action: 'cancel' });
    await questions.during(questioned, signal, async () => {});
    expect(await questions.answer(oneText)).toEqual({ action: 'cancel' });
    expect(asked).toEqual([]);
  });

  it('are given up after ten minutes, and the person is told', async () => {
    const late = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal);
    onTestFinished(() => timeout.mockRestore());
    const questions = new ServerQuestions();
    const { refused, questioned } = person(async (_, ending) => {
      queueMicrotask(() => late.abort());
      await new Promise<void>((resolve) => {
        late.signal.addEventListener('abort', () => resolve());
      });
      ending.throwIfAborted();
      return await accept();
    });
    const answer = await questions.during(questioned, signal, () => questions.answer(oneText));
    expect(answer).toEqual({ action: 'cancel' });
    expect(refused).toEqual(['too-late']);
    expect(timeout).toHaveBeenCalledWith(600_000);
  });

  it('go to whoever waits for the newest call, and then again for the one before', async () => {
    const questions = new ServerQuestions();
    const [one, other] = [person(accept), person(accept)];
    await questions.during(one.questioned, signal, async () => {
      await questions.during(other.questioned, signal, () => questions.answer(oneText));
      await questions.answer(oneText);
    });
    expect([one.asked.length, other.asked.length]).toEqual([1, 1]);
  });

  it('go to whoever waits for the call that they come with, and say so, whichever is newer', async () => {
    const questions = new ServerQuestions();
    const [one, other] = [person(accept), person(accept)];
    const begun = Promise.withResolvers<void>();
    const older = questions.during(one.questioned, signal, async () => {
      await begun.promise;
      await questions.answer(oneText);
    });
    await questions.during(other.questioned, signal, async () => {
      begun.resolve();
      await older;
    });
    expect([one.asked.map(({ isOfCall }) => isOfCall), other.asked]).toEqual([[true], []]);
  });

  it('that come by themselves are of no certain call where several run', async () => {
    const questions = new ServerQuestions();
    const [one, other] = [person(accept), person(accept)];
    const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const older = questions.during(one.questioned, signal, () => over.promise);
    const newer = questions.during(other.questioned, signal, async () => {
      begun.resolve();
      await over.promise;
    });
    await begun.promise;
    await questions.answer(oneText);
    over.resolve();
    await Promise.all([older, newer]);
    expect([one.asked, other.asked.map(({ isOfCall }) => isOfCall)]).toEqual([[], [false]]);
  });

  it('EL-06 come to nobody where they come with a call that nobody waits for', async () => {
    const questions = new ServerQuestions();
    const { asked, questioned } = person(accept);
    await questions.during(questioned, signal, async () => {
      const answer = await questions.during(undefined, signal, () => questions.answer(oneText));
      expect(answer).toEqual({ action: 'cancel' });
    });
    expect(asked).toEqual([]);
  });

  it('are over once their call has its answer', async () => {
    const questions = new ServerQuestions();
    let ending: AbortSignal | undefined;
    const { questioned } = person(async (_, given) => {
      ending = given;
      return await new Promise(() => {});
    });
    await questions.during(questioned, signal, async () => {
      void questions.answer(oneText);
      await vi.waitFor(() => expect(ending).toBeDefined());
    });
    expect(ending?.aborted).toBe(true);
  });

  it('end with the call that they belong to', async () => {
    const questions = new ServerQuestions();
    const end = new AbortController();
    const { questioned } = person(
      (_, ending) =>
        new Promise((_resolve, reject) => ending.addEventListener('abort', () => reject(new Error('ended')))),
    );
    const answer = questions.during(questioned, end.signal, () => questions.answer(oneText));
    await Promise.resolve();
    end.abort();
    expect(await answer).toEqual({ action: 'cancel' });
  });

  it('EL-08 get no more than they asked for, and no answer with something missing', async () => {
    const questions = new ServerQuestions();
    const { questioned } = person(async () => ({ action: 'accept', content: { a: 'yes', b: 'more' } }));
    const ask = (question: object) => questions.during(questioned, signal, () => questions.answer(question));
    expect(await ask(oneText)).toEqual({ action: 'accept', content: { a: 'yes' } });
    expect(await ask(form({ c: { type: 'string' } }, ['c']))).toEqual({ action: 'cancel' });
    expect(await ask(form({ a: { type: 'number' } }))).toEqual({ action: 'accept', content: {} });
  });

  it('that have to be gone through are over when the server says so', async () => {
    const questions = new ServerQuestions();
    const { asked, questioned } = person(async (question) => {
      if (question.kind === 'page') await question.completed;
      return { action: 'accept' };
    });
    const page = { mode: 'url', message: 'Pay', url: 'https://pay.example/', elicitationId: 'p' };
    const answer = questions.during(questioned, signal, () => questions.answer(page, true));
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    questions.complete('other');
    questions.complete('p');
    expect(await answer).toEqual({ action: 'accept' });
  });
});

describe('a page that a server wants opened', () => {
  const ask = async (url: string) => {
    const questions = new ServerQuestions();
    const { asked, refused, questioned } = person(async () => ({ action: 'accept' }));
    const page = { mode: 'url', message: 'Go', url, elicitationId: 'p' };
    const answer = await questions.during(questioned, signal, () => questions.answer(page));
    return { answer, asked, refused };
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
  ])('EL-04 is no such as %s: the server is told no, and nobody is asked', async (url) => {
    expect(await ask(url)).toMatchObject({ answer: { action: 'decline' }, asked: [], refused: ['address'] });
  });

  it('EL-05 is shown with its host as it is written, so that a look-alike is seen', async () => {
    const { asked } = await ask('https://p\u0430y.example/');
    expect(asked).toMatchObject([{ address: expect.stringMatching(/^https:\/\/xn--[a-z0-9-]+\.example\/$/u) }]);
  });
});

describe('a form', () => {
  const bomb = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`f${index}`, { type: 'string' }]));
  it.each<[string, object]>([
    ['10,000 fields', bomb],
    ['10,000 choices', { a: { type: 'string', enum: Array.from({ length: 10_000 }, (_, index) => `c${index}`) } }],
    ['an object in it', { a: { type: 'object', properties: { b: { type: 'string' } } } }],
    ['a reference', { a: { $ref: '#/properties/a' } }],
    ['a list of texts', { a: { type: 'array', items: { type: 'string' } } }],
    ['a name without end', { ['x'.repeat(1_000)]: { type: 'string' } }],
  ])('EL-03 with %s is declined, and nobody is asked', async (_, properties) => {
    const questions = new ServerQuestions();
    const { asked, refused, questioned } = person(accept);
    expect(await questions.during(questioned, signal, () => questions.answer(form(properties)))).toEqual({
      action: 'decline',
    });
    expect({ asked, refused }).toEqual({ asked: [], refused: ['form'] });
  });

  it('EL-03 has a pattern that is shown and never run', () => {
    const [field] = readQuestionFields(form({ a: { type: 'string', pattern: '^(a+)+$' } }).requestedSchema) ?? [];
    expect(field).toMatchObject({ pattern: '^(a+)+$' });
    expect(field && fitsField(field, `${'a'.repeat(5_000)}!`)).toBe(true);
  });

  it('EL-07 has labels and choices without escapes or turns of the direction', () => {
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
  ])('takes for %j the value %j: %s', (schema, value, fits) => {
    const field = reads(schema);
    expect(field && fitsField(field, value)).toBe(fits);
  });

  it('begins with what the server suggests, where that fits', () => {
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
  ])('EL-08 that asks for %s looks like one for a secret: %s', (title, looks) => {
    const field = reads({ type: 'string', title });
    expect(field && wantsSecret(field)).toBe(looks);
  });
});
