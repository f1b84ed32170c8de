import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { listenOnLoopback } from '../../demo/listen-on-loopback.ts';
import { anthropicMessages } from './anthropic-messages.ts';
import type { Body, ModelApi, ModelEvent, Question } from './exchange.ts';
import { geminiContent } from './gemini-content.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';

export interface StandInModel {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** Requests since it was last cleared, oldest first. */
  readonly questions: readonly Question[];
  /** Other requests, as `GET /path`. */
  readonly strange: readonly string[];
  forget(): void;
  close(): Promise<void>;
}

const apis: readonly ModelApi[] = [anthropicMessages, openaiResponses, openaiChat, geminiContent];

/** Apps list the models, or count tokens, before they prompt. */
const harmless: readonly (readonly [path: RegExp, answer: object])[] = [
  [/\/models$/, { object: 'list', data: [{ id: 'stand-in', object: 'model' }], models: [] }],
  [/\/messages\/count_tokens$/, { input_tokens: 1 }],
  [/:countTokens$/, { totalTokens: 1 }],
];

/**
 * A model on this computer that calls one tool, the one whose name ends in `tool`, and is done once it has a result. It
 * supports the APIs that apps use, and records what reached it.
 */
export async function startStandInModel(tool: string): Promise<StandInModel> {
  const questions: Question[] = [];
  const strange: string[] = [];

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').replace(/\?.*/, '');
    const api = request.method === 'POST' ? apis.find((one) => one.path.test(path)) : undefined;
    if (!api) {
      const known = harmless.find(([pattern]) => pattern.test(path));
      if (!known && !(request.method === 'HEAD' && path === '/')) strange.push(`${request.method} ${path}`);
      response.writeHead(known ? 200 : 404, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify(known?.[1] ?? {}));
    }
    const body = (await json(request)) as Body;
    const question = api.read(body);
    questions.push(question);
    const call = question.results.length > 0 ? undefined : question.tools.find((name) => name.endsWith(tool));
    send(response, api.write(call === undefined ? { text: 'Done.' } : { call }, body));
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  const { origin } = await listenOnLoopback(server);
  return {
    origin,
    questions,
    strange,
    forget() {
      questions.length = 0;
      strange.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, output: ReturnType<ModelApi['write']>): void {
  if (!Array.isArray(output)) {
    response.writeHead(200, { 'content-type': 'application/json' });
    return void response.end(JSON.stringify(output));
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const { name, data } of output as readonly ModelEvent[]) {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    response.write(`${name === undefined ? '' : `event: ${name}\n`}data: ${text}\n\n`);
  }
  response.end();
}
