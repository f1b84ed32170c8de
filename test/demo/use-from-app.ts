import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { launcher } from './postern-command.ts';

/**
 * Shows what AI apps do: an MCP client, which knows nothing about the sign-in, starts `postern proxy` and uses the
 * server through it. Returns an exit code.
 */
export async function useFromApp(name: string): Promise<number> {
  const service = spawn(process.execPath, [launcher, 'serve', '--allow-unknown', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [first] = (await Promise.race([
      once(createInterface({ input: service.stdout }), 'line'),
      once(service, 'exit').then(() => ['']),
    ])) as [string];
    if (!first.includes('"serving"')) {
      print('\nAnother Postern is already serving your AI apps, so the step with an app is skipped.');
      return 0;
    }
    print(`\nNow an app uses it without its own sign-in. It starts: postern proxy '${name}'\n`);
    const client = new Client({ name: 'demo-app', version: '1.0.0' });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [launcher, 'proxy', name],
      env: environment(),
      stderr: 'ignore',
    });
    await client.connect(transport);
    try {
      const { tools } = await client.listTools();
      print(`  tools          ${tools.map((tool) => tool.name).join(', ')}`);
      const { content } = await client.callTool({ name: 'whoami', arguments: {} });
      const [block] = content;
      print(`  whoami         ${block?.type === 'text' ? block.text.replaceAll('\n', '\n                 ') : ''}`);
    } finally {
      await client.close();
    }
    print('\nTo let one of your AI apps do the same: `npx postern apps`, then `npx postern use NAME APP`.');
    return 0;
  } catch (error) {
    print(`\nThe app could not use it: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  } finally {
    if (service.exitCode === null) {
      service.kill('SIGTERM');
      await once(service, 'exit');
    }
  }
}

function environment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
