import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import type { CommandName } from '../../../../../main/cli/options/command-spec.ts';
import { UsageError } from '../../../../../main/cli/options/parse-arguments.ts';
import { createOutput } from '../../../../../main/cli/output/output.ts';
import { runCommandLine } from '../../../../../main/cli/start/run-command-line.ts';
import { commandTable } from '../../../../../main/cli/table/command-table.ts';
import { createLiveSteps, createTextSink } from '../../../../../main/cli/terminal/terminal-output.ts';
import type { Node } from '../../../../mutants/code-pattern.ts';
import { calledPath, isWord, syntaxNodes } from '../../../../support/source-words.ts';
import { typedStdin } from '../../../../support/typed-stdin.ts';

const evil = 'a\u001b]0;title\u0007b\u001b[2Jc\u009b31md\u202ee\rf\u0008g\u2066h';
const root = join(import.meta.dirname, '../../../../../main/cli');

function watch(): { stream: Writable & { text: string } } {
  const stream = Object.assign(
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        stream.text += chunk.toString();
        done();
      },
    }),
    { text: '' },
  );
  return { stream };
}

/** Everything that a run of `name` writes if the command forgets to escape its text. */
async function run(name: CommandName, json: boolean, fails: boolean): Promise<string> {
  const [out, err] = [watch().stream, watch().stream];
  const [stdout, stderr] = [createTextSink(out), createTextSink(err)];
  vi.spyOn(commandTable.specs[name], 'load').mockResolvedValue(async ({ output, steps, prompt }) => {
    output.info(evil);
    output.event(evil, { [evil]: evil });
    steps.begin(evil);
    steps.end('note', evil);
    prompt(evil);
    if (fails) throw new UsageError(evil, name);
    return { fields: { [evil]: [evil] }, text: evil };
  });
  const { positionals } = commandTable.specs[name];
  await runCommandLine({
    argv: [
      ...name.split(' '),
      ...positionals.filter((word) => !word.startsWith('[')).map(() => 'https://mcp.example/mcp'),
    ],
    output: createOutput({ json, stdout, stderr }),
    steps: createLiveSteps({ sink: stderr, env: {}, columns: () => 80 }),
    stdin: typedStdin().lines,
    prompt: (text) => stderr.write(text),
    canAsk: false,
    currentFolder: undefined,
    installation: { isPackaged: false, channel: 'dev' },
    interruption: { signal: new AbortController().signal, forced: new Promise<never>(() => {}), passTo: () => {} },
  });
  await Promise.all([stdout.flush(), stderr.flush()]);
  vi.restoreAllMocks();
  return out.text + err.text;
}

describe('the command line', () => {
  it.each(commandTable.names)(
    'lets no control character through, even if %s does not escape them (hostile case IP-01)',
    async (name) => {
      for (const json of [false, true]) {
        for (const fails of [false, true]) {
          const text = await run(name, json, fails);
          expect(text).toContain('title');
          expect(text).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u);
        }
      }
    },
  );

  it('writes to its streams in one place only', () => {
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const isWrite = (node: Node): boolean =>
      isWord(node, ['console']) ||
      /(?:^|\.)(?:process\.(?:stdout|stderr)\.write|writeSync)$/u.test(calledPath(node)?.path ?? '');
    const writers = files.filter((file) => syntaxNodes(file, readFileSync(join(root, file), 'utf8')).some(isWrite));
    expect(files.length).toBeGreaterThan(40);
    // It forwards output that another Postern process has already escaped.
    expect(writers).toEqual(['start/run-or-delegate.ts']);
  });
});
