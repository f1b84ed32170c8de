import { type Answer, type Body, type ModelApi, objectsOf, textOf } from './exchange.ts';

/** Anthropic Messages, used by Claude Code. */
export const anthropicMessages: ModelApi = {
  path: /\/v1\/messages$/,
  read: (body) => ({
    tools: objectsOf(body['tools']).map(({ name }) => String(name)),
    results: objectsOf(body['messages'])
      .flatMap(({ content }) => objectsOf(content))
      .filter(({ type }) => type === 'tool_result')
      .map(({ content }) => textOf(content)),
  }),
  write(answer, body) {
    const [stop, block] = contentOf(answer);
    const message = messageOf(body);
    if (body['stream'] !== true) return { ...message, content: [block], stop_reason: stop };
    const [start, delta] =
      block.type === 'text'
        ? [
            { ...block, text: '' },
            { type: 'text_delta', text: block.text },
          ]
        : [
            { ...block, input: {} },
            { type: 'input_json_delta', partial_json: '{}' },
          ];
    return [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: start },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ].map((data) => ({ name: data.type, data }));
  },
};

function contentOf(answer: Answer) {
  return 'call' in answer
    ? (['tool_use', { type: 'tool_use', id: 'toolu_1', name: answer.call, input: {} }] as const)
    : (['end_turn', { type: 'text', text: answer.text }] as const);
}

function messageOf({ model }: Body) {
  const usage = { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  return { id: 'msg_1', type: 'message', role: 'assistant', model, stop_sequence: null, usage };
}
