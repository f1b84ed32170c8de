import { type Answer, type ModelApi, objectsOf, textOf } from './exchange.ts';

/** OpenAI Responses, used by Codex. */
export const openaiResponses: ModelApi = {
  path: /\/responses$/,
  read: (body) => ({
    tools: objectsOf(body['tools']).flatMap((tool) =>
      tool['type'] === 'namespace'
        ? objectsOf(tool['tools']).map(({ name }) => `${String(tool['name'])}${separator}${String(name)}`)
        : [String(tool['name'])],
    ),
    results: objectsOf(body['input'])
      .filter(({ type }) => type === 'function_call_output')
      .map(({ output }) => textOf(output)),
  }),
  write(answer, { model }) {
    const item = itemOf(answer);
    const response = { id: 'resp_1', object: 'response', created_at: 1, model, output: [] };
    const usage = {
      input_tokens: 1,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 1,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 2,
    };
    return [
      { type: 'response.created', response: { ...response, status: 'in_progress' } },
      { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress' } },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { ...response, status: 'completed', output: [item], usage } },
    ].map((data) => ({ name: data.type, data }));
  },
};

/** Separates a tool namespace from a tool in it. No name contains it. */
const separator = ' ';

function itemOf(answer: Answer): object {
  if ('text' in answer) {
    const content = [{ type: 'output_text', text: answer.text, annotations: [] }];
    return { type: 'message', id: 'msg_1', status: 'completed', role: 'assistant', content };
  }
  const [name = '', namespace] = answer.call.split(separator).toReversed();
  return {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'call_1',
    status: 'completed',
    name,
    ...(namespace !== undefined && { namespace }),
    arguments: '{}',
  };
}
