import { McpServer } from '@modelcontextprotocol/server';
import type { McpRequestContext, ServerNotifier } from '@modelcontextprotocol/server';
import { addElicitationTools, callState } from './elicitation-tools.ts';
import { addContentTools } from './content-tools.ts';
import { addPrompts, addResources } from './resources-and-prompts.ts';
import { textResult } from './samples.ts';

/** A server with everything that the official suite requires; `notify` reaches stateless subscribers. */
export function createDemoServer({ era }: Pick<McpRequestContext, 'era'>, notify: ServerNotifier): McpServer {
  const server = new McpServer(
    { name: 'demo', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: callState.verify },
      cacheHints: { 'tools/list': { ttlMs: 1_000, cacheScope: 'public' } },
    },
  );
  addContentTools(server);
  addElicitationTools(server);
  addResources(server);
  addPrompts(server);
  server.registerTool('test_trigger_tool_change', { description: 'Says that the tools have changed.' }, () => {
    notify.toolsChanged();
    return textResult('Said so.');
  });
  server.registerTool('test_trigger_prompt_change', { description: 'Says that the prompts have changed.' }, () => {
    notify.promptsChanged();
    return textResult('Said so.');
  });
  if (era === 'legacy') {
    // For stateless apps, `subscriptions/listen` replaces them.
    const watched = new Set<string>();
    server.server.setRequestHandler('resources/subscribe', ({ params }) => {
      watched.add(params.uri);
      return {};
    });
    server.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
      watched.delete(params.uri);
      return {};
    });
  }
  return server;
}
