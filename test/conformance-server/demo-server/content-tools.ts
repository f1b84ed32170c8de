import { setTimeout as pause } from 'node:timers/promises';
import { fromJsonSchema } from '@modelcontextprotocol/server';
import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { png, textResult, wav } from './samples.ts';

/** Milliseconds between two messages of one call, so that each is sent separately. */
const between = 20;

/** Tools that need no input. The suite calls the first of the list without arguments. */
export function addContentTools(server: McpServer): void {
  server.registerTool('test_simple_text', { description: 'One text.' }, () =>
    textResult('This is a simple text response for testing.'),
  );
  server.registerTool('test_image_content', { description: 'One picture.' }, () => ({
    content: [{ type: 'image', ...png }],
  }));
  server.registerTool('test_audio_content', { description: 'One sound.' }, () => ({
    content: [{ type: 'audio', ...wav }],
  }));
  server.registerTool('test_embedded_resource', { description: 'A resource in the answer.' }, () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }));
  server.registerTool('test_multiple_content_types', { description: 'Text, picture and resource.' }, () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', ...png },
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: JSON.stringify({ test: 'data', value: 123 }),
        },
      },
    ],
  }));
  server.registerTool('test_error_handling', { description: 'Always fails.' }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  server.registerTool('test_tool_with_progress', { description: 'Tells how far it is.' }, async (context) => {
    for (const progress of [0, 50, 100]) {
      await tellProgress(context, progress);
      await pause(between);
    }
    return textResult('All of it is done.');
  });
  server.registerTool('test_tool_with_logging', { description: 'Logs what it does.' }, async ({ mcpReq }) => {
    for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.log('info', line);
      await pause(between);
    }
    return textResult('Three lines were logged.');
  });
  server.registerTool('test_logging_tool', { description: 'Logs for those that asked for it.' }, async ({ mcpReq }) => {
    await mcpReq.log('info', 'Only for a request that names a level');
    return textResult('Logged, where that was wanted.');
  });
  server.registerTool(
    'test_reconnection',
    { description: 'Closes its stream before it answers.' },
    async ({ http }) => {
      http?.closeSSE?.();
      await pause(between);
      return textResult('Sent after the stream was closed.');
    },
  );
  server.registerTool(
    'test_custom_headers',
    {
      description: 'Wants one argument as a header field too.',
      inputSchema: z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }) }),
    },
    ({ region }) => textResult(`The region is ${region}.`),
  );
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Has most of what a schema can have.', inputSchema: fromJsonSchema(manifoldSchema) },
    () => textResult('Taken.'),
  );
}

async function tellProgress({ mcpReq }: ServerContext, progress: number): Promise<void> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return;
  await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
}

const manifoldSchema: Parameters<typeof fromJsonSchema>[0] = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};
