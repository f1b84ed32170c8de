import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';

const module = path.join(import.meta.dirname, '../../../main/host/gateway/open-gateway.ts');

/** Runs in its own process, because this one is busy and has other garbage. */
function whatBecomesOfGarbage(): string {
  const script = `
    const { collectGarbageWhenIdle } = await import(${JSON.stringify(module)});
    collectGarbageWhenIdle();
    const garbage = new WeakRef({});
    setTimeout(() => {
      for (const since = process.cpuUsage(); process.cpuUsage(since).user < 300_000; );
      setInterval(() => garbage.deref() ?? (console.log('collected'), process.exit()), 50);
      setTimeout(() => (console.log('not collected'), process.exit()), 240_000);
    });`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).trim();
}

it('frees memory once work is done', () => {
  expect(whatBecomesOfGarbage()).toBe('collected');
});
