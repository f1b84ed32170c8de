import { appendFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

/** `node stdio-server.ts [FILE]`: a server with the official SDK. Each start appends its process ID to FILE. */
const [file] = process.argv.slice(2);
if (file !== undefined) appendFileSync(file, `${process.pid}\n`);
const server = new McpServer({ name: 'on this computer', version: '1' });
const textResult = (text: string) => ({ content: [{ type: 'text' as const, text }] });
server.registerTool('pid', {}, () => textResult(String(process.pid)));
server.registerTool('environment', {}, () => textResult(JSON.stringify(process.env)));
server.registerTool('where', {}, () => textResult(process.cwd()));
server.registerTool('crash', {}, () => {
  process.stderr.write('about to crash\n');
  process.exit(7);
});
process.stderr.write('ready\n');
await server.connect(new StdioServerTransport());
