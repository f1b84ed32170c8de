import { describe, expect, it, vi } from 'vitest';
import type { Command, CommandContext } from '../../../../../main/cli/command-context.ts';
import { createOutput } from '../../../../../main/cli/output/output.ts';
import { runCommandLine } from '../../../../../main/cli/start/run-command-line.ts';
import { commandTable } from '../../../../../main/cli/table/command-table.ts';
import { silentSteps } from '../../../../../main/cli/terminal/terminal-output.ts';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { recordedSink } from '../../../../support/recorded-sink.ts';
import { typedStdin } from '../../../../support/typed-stdin.ts';

const cancelled = new PosternError('USER_CANCELLED', { stage: 'postern' });

/** Runs `command` in place of `postern list`. */
function start(command: Command) {
  vi.spyOn(commandTable.specs.list, 'load').mockResolvedValue(command);
  const stdout = recordedSink();
  const controller = new AbortController();
  const forced = Promise.withResolvers<never>();
  forced.promise.catch(() => {});
  const code = runCommandLine({
    argv: ['list', '--json'],
    output: createOutput({ json: true, stdout, stderr: recordedSink() }),
    steps: silentSteps,
    stdin: typedStdin().lines,
    prompt: () => {},
    canAsk: false,
    currentFolder: undefined,
    installation: { isPackaged: false, channel: 'dev' },
    interruption: { signal: controller.signal, forced: forced.promise, passTo: () => {} },
  });
  return {
    interrupt: () => controller.abort(cancelled),
    interruptAgain: () => forced.reject(cancelled),
    end: async () => {
      const exitCode = await code;
      return {
        exitCode,
        lines: stdout.text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown),
      };
    },
  };
}

const lastError = (code: string) => ({ result: 'error', error: expect.objectContaining({ code }) });

describe('runCommandLine', () => {
  it('reports a crash as INTERNAL, and logs only its location', async () => {
    const logged: unknown[] = [];
    const { end } = start(async ({ logTo }) => {
      logTo({ write: (event, fields) => logged.push({ event, ...fields }) });
      throw new TypeError('Bearer canary');
    });
    expect(await end()).toEqual({ exitCode: 1, lines: [lastError('INTERNAL')] });
    expect(logged).toEqual([
      expect.objectContaining({
        event: 'command-failed',
        command: 'list',
        code: 'INTERNAL',
        at: expect.stringContaining('.ts:'),
      }),
    ]);
    expect(JSON.stringify(logged)).not.toContain('canary');
  });

  it('writes notices before the last line, and closes resources after it', async () => {
    const order: string[] = [];
    const { end } = start(async ({ output, beforeResult, onEnd }) => {
      beforeResult(() => output.event('notice', { code: 'CFG_CORRUPT' }));
      onEnd(async () => void order.push('closed'));
      order.push('answered');
      return { fields: { integrations: [] } };
    });
    expect(await end()).toEqual({
      exitCode: 0,
      lines: [
        { event: 'notice', code: 'CFG_CORRUPT' },
        { result: 'ok', integrations: [] },
      ],
    });
    expect(order).toEqual(['answered', 'closed']);
  });

  it('exits with 130 after an interruption, whatever error the command throws', async () => {
    const { interrupt, end } = start(async ({ signal }: CommandContext) => {
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new TypeError('aborted'))));
      throw new Error('not reached');
    });
    setImmediate(interrupt);
    expect(await end()).toEqual({ exitCode: 130, lines: [lastError('USER_CANCELLED')] });
  });

  it('waits for neither the command nor the cleanup after a second interruption', async () => {
    const never = new Promise<never>(() => {});
    const { interrupt, interruptAgain, end } = start(async ({ onEnd }) => {
      onEnd(() => never);
      return await never;
    });
    setImmediate(() => {
      interrupt();
      interruptAgain();
    });
    expect(await end()).toEqual({ exitCode: 130, lines: [lastError('USER_CANCELLED')] });
  });
});
