import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { launcher } from './postern-command.ts';

/**
 * Shows what AI programs do: a client of MCP, which knows nothing of the sign-in, starts `postern proxy` and uses the
 * server through it. Answers an exit code.
 */
export async function useFromProgram(name: string): Promise<number> {
  const service = spawn(process.execPath, [launcher, 'serve', '--allow-unknown', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [first] = (await Promise.race([
      once(createInterface({ input: service.stdout }), 'line'),
      once(service, 'exit').then(() => ['']),
    ])) as [string];
    if (!first.includes('"serving"')) {
      say('\nAnother Postern serves your programs already, so the step with a program is left out.');
      return 0;
    }
    say(`\nA program uses it now, without any sign-in of its own. It starts: postern proxy '${name}'\n`);
    const client = new Client({ name: 'practice-program', version: '1.0.0' });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [launcher, 'proxy', name],
      env: environment(),
      stderr: 'ignore',
    });
    await client.connect(transport);
    try {
      const { tools } = await client.listTools();
      say(`  tools          ${tools.map((tool) => tool.name).join(', ')}`);
      const { content } = await client.callTool({ name: 'whoami', arguments: {} });
      const [answer] = content;
      say(`  whoami         ${answer?.type === 'text' ? answer.text.replaceAll('\n', '\n                 ') : ''}`);
    } finally {
      await client.close();
    }
    say('\nTo let a program of yours do the same: `npx postern programs`, then `npx postern use NAME PROGRAM`.');
    return 0;
  } catch (error) {
    say(`\nThe program could not use it: ${error instanceof Error ? error.message : String(error)}`);
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

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
