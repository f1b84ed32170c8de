import { Readable, Writable } from 'node:stream';
import { createOutput } from '../../main/cli/output/output.ts';
import { runCommandLine } from '../../main/cli/start/run-command-line.ts';
import { createStdinLines } from '../../main/cli/terminal/terminal-input.ts';
import { createTextSink, plainSteps, silentSteps } from '../../main/cli/terminal/terminal-output.ts';
import { commandEnvironment, resultOf } from './postern-process.ts';
import type { PosternOptions, PosternResult } from './postern-process.ts';
import { shareKeychainProcess } from './shared-keychain-process.ts';

/**
 * Runs a command from its arguments to its exit code in this process: the same code, profile, keychain and network as
 * `runPostern`, at a tenth of the cost. For tests of what a command does; startup, exit, signals, streams and
 * concurrent commands need a real process. One runs at a time, because they share this process's environment.
 */
export async function runInProcess(args: readonly string[], options: PosternOptions): Promise<PosternResult> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const before = lastCommand;
  lastCommand = promise;
  await before;
  const restore = applyEnvironment(commandEnvironment(options), options.cwd);
  try {
    return await run(args, options);
  } finally {
    restore();
    resolve();
  }
}

/** Resolves when the last requested command has ended. */
let lastCommand: Promise<void> = Promise.resolve();

async function run(argv: readonly string[], { stdin = '' }: PosternOptions): Promise<PosternResult> {
  const json = argv.includes('--json');
  const written = { stdout: '', stderr: '' };
  const sink = (name: keyof typeof written) =>
    createTextSink(
      new Writable({
        decodeStrings: false,
        write(chunk: string | Uint8Array, _encoding, done) {
          written[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
          done();
        },
      }),
    );
  const stdout = sink('stdout');
  const stderr = sink('stderr');
  const output = createOutput({ json, stdout, stderr });
  const { promise: forced } = Promise.withResolvers<never>();
  const code = await runCommandLine({
    argv,
    output,
    installation: { isPackaged: false, channel: 'dev', startKeychain: shareKeychainProcess },
    steps: json ? silentSteps : plainSteps((line) => output.info(line)),
    stdin: createStdinLines(() => Readable.from([Buffer.from(stdin)]), false),
    prompt: (text) => stderr.write(text),
    canAsk: false,
    currentFolder: process.cwd(),
    interruption: { signal: new AbortController().signal, forced, passTo() {} },
  });
  await stdout.flush();
  await stderr.flush();
  return resultOf(argv, { code, ...written });
}

/**
 * Returns the undo function. Changes the real environment, because the home folder is not read through `process.env`.
 */
function applyEnvironment(target: NodeJS.ProcessEnv, cwd: string | undefined): () => void {
  const before = { ...process.env };
  const folder = process.cwd();
  setEnvironment(target);
  if (cwd !== undefined) process.chdir(cwd);
  return () => {
    setEnvironment(before);
    process.chdir(folder);
  };
}

function setEnvironment(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (environment[name] === undefined) delete process.env[name];
  for (const [name, value] of Object.entries(environment)) if (value !== undefined) process.env[name] = value;
}
