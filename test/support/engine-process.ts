/**
 * engine-process.ts FOLDER: an engine in its own process. Reads one line per task, `{"do":"tools"|"refresh","id":…}`,
 * and responds with a line `{"ok":true}` or `{"ok":false,"code":…}`.
 */
import { createInterface } from 'node:readline';
import { listTools } from '../../main/engine/use/use-server.ts';
import { openProfileEngine } from './profile-engine.ts';
import { refreshIntegration } from './refresh-integration.ts';

const { ports, close } = openProfileEngine(process.argv[2] ?? '');
const { signal } = new AbortController();

// Bundled as CommonJS, without a console.
const respond = (response: object): void => void process.stdout.write(`${JSON.stringify(response)}\n`);

async function run(): Promise<void> {
  respond({ ready: true });
  for await (const line of createInterface({ input: process.stdin })) {
    const task = JSON.parse(line) as { do: 'tools' | 'refresh'; id: string };
    try {
      const integration = await ports.store.read(task.id);
      if (!integration) throw new Error('no such integration');
      if (task.do === 'tools') await listTools(ports, integration, { signal });
      else await refreshIntegration(ports, integration, { signal });
      respond({ ok: true });
    } catch (error) {
      respond({ ok: false, code: (error as { code?: string }).code ?? String(error) });
    }
  }
  await close();
}

void run();
