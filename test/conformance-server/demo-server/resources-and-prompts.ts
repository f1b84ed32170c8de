import { ResourceTemplate, acceptedContent, completable, inputRequired } from '@modelcontextprotocol/server';
import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { elicit, word } from './elicitation-tools.ts';
import { png } from './samples.ts';

export function addResources(server: McpServer): void {
  const add = (name: string, uri: string, mimeType: string, content: { text: string } | { blob: string }): void => {
    server.registerResource(name, uri, { mimeType }, () => ({ contents: [{ uri, mimeType, ...content }] }));
  };
  add('static-text', 'test://static-text', 'text/plain', { text: 'This is the content of the static text resource.' });
  add('static-binary', 'test://static-binary', png.mimeType, { blob: png.data });
  add('watched-resource', 'test://watched-resource', 'text/plain', { text: 'Changes now and then.' });
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, { mimeType: 'application/json' }, ({ href: uri }, { id }) => ({
    contents: [
      {
        uri,
        mimeType: 'application/json',
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
      },
    ],
  }));
}

export function addPrompts(server: McpServer): void {
  const user = (text: string) => ({ role: 'user', content: { type: 'text', text } }) as const;

  server.registerPrompt('test_simple_prompt', { description: 'One sentence.' }, () => ({
    messages: [user('This is a simple prompt for testing.')],
  }));
  const argument = completable(z.string(), (start) =>
    ['paris', 'park', 'party'].filter((place) => place.startsWith(start)),
  );
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'Repeats two arguments.', argsSchema: z.object({ arg1: argument, arg2: z.string() }) },
    ({ arg1, arg2 }) => ({ messages: [user(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Has a resource in it.', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri: uri }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
          },
        },
        user('Please process the embedded resource above.'),
      ],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'Has a picture in it.' }, () => ({
    messages: [{ role: 'user', content: { type: 'image', ...png } }, user('Please analyze the image above.')],
  }));
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'Asks before it answers.' },
    ({ mcpReq }) => {
      const content = acceptedContent(mcpReq.inputResponses, 'user_context', z.object({ context: z.string() }));
      if (content) return { messages: [user(`In this context: ${content.context}`)] };
      const question = elicit('What context should the prompt use?', { context: word });
      return inputRequired({ inputRequests: { user_context: question } });
    },
  );
}
