import { type ModelApi, objectsOf } from './exchange.ts';

/** Google's generateContent, used by Gemini CLI. */
export const geminiContent: ModelApi = {
  path: /:(?:streamGenerateContent|generateContent)$/,
  read: (body) => ({
    tools: objectsOf(body['tools'])
      .flatMap((tool) => objectsOf(tool['functionDeclarations']))
      .map(({ name }) => String(name)),
    results: objectsOf(body['contents'])
      .flatMap(({ parts }) => objectsOf(parts))
      .flatMap(({ functionResponse }) => objectsOf([functionResponse]))
      .map(({ response }) => JSON.stringify(response)),
  }),
  write(answer) {
    const part = 'call' in answer ? { functionCall: { name: answer.call, args: {} } } : { text: answer.text };
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    const candidate = { content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 };
    return [{ data: { candidates: [candidate], usageMetadata, modelVersion: 'stand-in' } }];
  },
};
