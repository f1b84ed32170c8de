import { type Answer, type ModelApi, objectsOf, textOf } from './exchange.ts';

/** OpenAI Chat Completions, used by most apps. */
export const openaiChat: ModelApi = {
  path: /\/chat\/completions$/,
  read: (body) => ({
    tools: objectsOf(body['tools']).map((tool) => String((tool['function'] as { name?: unknown } | undefined)?.name)),
    results: objectsOf(body['messages'])
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => textOf(content)),
  }),
  write(answer, body) {
    const message = messageOf(answer);
    const reason = 'call' in answer ? 'tool_calls' : 'stop';
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const document = { id: 'chat_1', created: 1, model: body['model'] };
    if (body['stream'] !== true) {
      const choices = [{ index: 0, message, finish_reason: reason }];
      return { ...document, object: 'chat.completion', choices, usage };
    }
    const chunk = (choice: object, more = {}) => ({
      data: { ...document, object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }], ...more },
    });
    return [
      chunk({ delta: message, finish_reason: null }),
      chunk({ delta: {}, finish_reason: reason }, { usage }),
      { data: '[DONE]' },
    ];
  },
};

function messageOf(answer: Answer): object {
  if ('text' in answer) return { role: 'assistant', content: answer.text };
  const call = { index: 0, id: 'call_1', type: 'function', function: { name: answer.call, arguments: '{}' } };
  return { role: 'assistant', content: null, tool_calls: [call] };
}
