import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stripTerminalSequences } from '../address/display-text.ts';
import type { PosternError } from '../errors/postern-error.ts';
import { CommandNotRunnable, LostRequest } from '../errors/request-error.ts';
import { yieldIfBusy, runAsOwner } from '../yield-if-busy.ts';
import { windowsExecutables } from '../find-executable.ts';
import { JsonTokens, openObject } from '../json-tokens.ts';
import { gatewayMessage } from '../limits.ts';
import { localServerLimits } from '../local-ports.ts';
import type { LocalProcessListener, LocalOutput, LocalProcess } from '../local-ports.ts';
import { MessageLines } from '../message-lines.ts';
import { lastPrintedLine } from '../server-words.ts';

interface LaunchOptions {
  readonly path: string;
  readonly words: readonly string[];
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Its name in errors. */
  readonly command: string;
  readonly output: OutputTail;
  /** Called with the PID before anything else. */
  readonly onStarted: (pid: number) => void;
  /** Called once when it has ended; `requested`: because `stop` was called. */
  readonly onEnded: (requested: boolean) => void;
}

const isWindows = process.platform === 'win32';

/** What Windows starts for a command. */
interface WindowsLaunch {
  readonly file: string;
  readonly words: readonly string[];
  /** The words are quoted already. */
  readonly windowsVerbatimArguments: boolean;
}

/**
 * Windows runs a batch file, such as npm's `npx.cmd`, only through cmd.exe, which would interpret `&`, `%` and others
 * in its arguments; twice, because most batch files pass them on with `%*`. So all are quoted: `"` is doubled, which
 * closes and opens the quotes again, and each `%` is followed by an expression that expands to nothing and keeps the
 * names of variables apart (as in Rust's standard library since CVE-2024-24576). `undefined`: cmd.exe cannot pass a line
 * break.
 */
export function windowsLaunch(
  file: string,
  words: readonly string[],
  env: NodeJS.ProcessEnv,
): WindowsLaunch | undefined {
  if (!/\.(?:bat|cmd)$/iu.test(file)) return { file, words, windowsVerbatimArguments: false };
  if (words.some((word) => /[\r\n]/u.test(word))) return undefined;
  const quote = (word: string): string =>
    `"${word
      // The program that the batch file starts reads `\"` as a quote.
      .replaceAll(/(\\*)(?:"|$)/gu, (end, slashes: string) => slashes + slashes + end.slice(slashes.length))
      .replaceAll('"', '""')
      .replaceAll('%', '%%cd:~,%')}"`;
  return {
    file: path.win32.join(windowsExecutables(env), 'cmd.exe'),
    // Extensions for that expression, no `!variable!`, no AutoRun commands of the registry.
    words: ['/e:ON', '/v:OFF', '/d', '/c', `"${[`"${file}"`, ...words.map(quote)].join(' ')}"`],
    windowsVerbatimArguments: true,
  };
}

/** Running children. They end with this process unless it is killed. */
const running = new Set<LocalChild>();
process.on('exit', () => {
  for (const child of running) child.kill();
});

/** A child process without a shell, in its own process group, so that its descendants end with it. */
export class LocalChild implements LocalProcess {
  readonly #child: ChildProcess;
  readonly #options: LaunchOptions;
  readonly #listener: LocalProcessListener;
  readonly #ended = Promise.withResolvers<void>();
  readonly #isHurried = Promise.withResolvers<void>();
  readonly #multiline = new MultilineObject(gatewayMessage.size);
  readonly #strayOutput = new StrayOutputLimit();
  /** Active until the first message. */
  #promptDetector: PromptDetector | undefined = new PromptDetector((prompt) =>
    this.#endWithFault('LOCAL_ASKS', prompt),
  );
  #stopping: Promise<void> | undefined;
  /** Why we are ending it, if it misbehaved. */
  #fault: PosternError | undefined;

  /** Errors: LOCAL_NOT_FOUND. */
  static async start(options: LaunchOptions, listener: LocalProcessListener): Promise<LocalChild> {
    const { command } = options;
    const launch = isWindows
      ? windowsLaunch(options.path, options.words, process.env)
      : { file: options.path, words: options.words };
    if (!launch)
      throw new CommandNotRunnable('LOCAL_NOT_FOUND', { stage: 'local', detail: { command, part: 'line-break' } });
    const { file, words, ...verbatim } = launch;
    const child = spawn(file, words, {
      ...verbatim,
      cwd: options.folder,
      // Windows, even inside npm's .cmd files, would prefer an executable in the current folder to PATH.
      env: { ...options.env, ...(isWindows && { NoDefaultCurrentDirectoryInExePath: '1' }) },
      stdio: ['pipe', 'pipe', 'pipe'],
      // Own process group: signals to ours do not reach it, and signals to it reach its descendants.
      detached: !isWindows,
      windowsHide: true,
    });
    if (child.pid !== undefined) options.onStarted(child.pid);
    try {
      await once(child, 'spawn');
    } catch (cause) {
      throw new CommandNotRunnable('LOCAL_NOT_FOUND', { stage: 'local', cause, detail: { command, denied: true } });
    }
    return new LocalChild(child, options, listener);
  }

  private constructor(child: ChildProcess, options: LaunchOptions, listener: LocalProcessListener) {
    this.#child = child;
    this.#options = options;
    this.#listener = listener;
    child.stderr?.on('data', (chunk: Buffer) => {
      options.output.add(chunk);
      this.#promptDetector?.feed(chunk);
    });
    // The exit event reports whatever goes wrong with the streams.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on('error', () => {});
    child.on('error', () => {});
    child.once('exit', (code, signal) => void this.#end(code, signal));
    running.add(this);
    void runAsOwner(this, () => this.#read());
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  async send(line: string): Promise<void> {
    const { stdin } = this.#child;
    if (!stdin?.writable || stdin.write(`${line}\n`)) return;
    const done = new AbortController();
    await Promise.race([once(stdin, 'drain', { signal: done.signal }), this.#ended.promise]).catch(() => {});
    done.abort();
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  /** This process exits soon: shorten the grace periods of `stop`. */
  hurry(): void {
    this.#isHurried.resolve();
  }

  /** Kills it and its descendants, without waiting. */
  kill(): void {
    endGroup(this.pid, 'SIGKILL');
    if (isWindows) this.#child.kill('SIGKILL');
  }

  /** MCP 2025-11-25, stdio shutdown: close stdin, then SIGTERM, then SIGKILL. */
  async #stop(): Promise<void> {
    const { voluntary, requested } = localServerLimits.stop;
    this.#child.stdin?.end();
    if (await this.#endsWithin(voluntary)) return;
    endGroup(this.pid, 'SIGTERM');
    if (await this.#endsWithin(requested)) return;
    await this.#kill();
  }

  /** Kills the group; if that has no effect (such as a broken `taskkill`), the process alone. */
  async #kill(): Promise<void> {
    endGroup(this.pid, 'SIGKILL');
    if (await this.#endsWithin(localServerLimits.stop.killed)) return;
    this.#child.kill('SIGKILL');
    await this.#endsWithin(localServerLimits.stop.killed);
  }

  async #endsWithin(milliseconds: number): Promise<boolean> {
    const done = new AbortController();
    const elapse = (time: number): Promise<boolean> => pause(time, false, { signal: done.signal }).catch(() => false);
    const hurried = this.#isHurried.promise.then(() => elapse(localServerLimits.stop.hurried));
    const ended = this.#ended.promise.then(() => true);
    return await Promise.race([ended, elapse(milliseconds), hurried]).finally(() => done.abort());
  }

  async #read(): Promise<void> {
    const lines = new MessageLines(gatewayMessage.size);
    try {
      for await (const chunk of this.#child.stdout ?? []) {
        this.#promptDetector?.feed(chunk as Buffer);
        for (const { bytes: line, isTooLong } of lines.feed(chunk as Buffer)) {
          await yieldIfBusy();
          // Some Windows programs start their output with one.
          const bytes = line.subarray(0, 3).equals(byteOrderMark) ? line.subarray(byteOrderMark.byteLength) : line;
          if (isTooLong) this.#listener.onTooLong(bytes);
          const noise = isTooLong ? this.#multiline.drop() : await this.#handleLine(bytes);
          for (const each of noise) {
            this.#options.output.add(Buffer.concat([each, Buffer.from('\n')]));
            if (this.#strayOutput.isExceededBy(each.byteLength))
              return this.#endWithFault('LOCAL_NOISE', each.toString('utf8'));
          }
        }
      }
    } catch {
      // The exit event reports it.
    }
  }

  /** Returns the lines that turn out not to be messages. */
  async #handleLine(line: Buffer): Promise<readonly Buffer[]> {
    // A line inside a multi-line message may be valid JSON too, but lacks this member.
    const mayBeMessage = !this.#multiline.isOpen || line.includes('"jsonrpc"');
    if (mayBeMessage && (await this.#isMessage(line))) return this.#multiline.drop();
    const { object, noise } = this.#multiline.feed(line);
    return object && !(await this.#isMessage(object)) ? [...noise, object] : noise;
  }

  async #isMessage(line: Buffer): Promise<boolean> {
    if ((await this.#listener.onLine(line)) === 'noise') return false;
    this.#stopPromptDetector();
    return true;
  }

  #stopPromptDetector(): void {
    this.#promptDetector?.stop();
    this.#promptDetector = undefined;
  }

  /** `printed`: its last output. */
  #endWithFault(code: 'LOCAL_NOISE' | 'LOCAL_ASKS', printed: string): void {
    const { command } = this.#options;
    const words = lastPrintedLine(printed);
    this.#fault = new LostRequest(code, { stage: 'local', purpose: 'mcp', detail: { command }, words });
    this.#child.stdout?.destroy();
    void this.#kill();
  }

  async #end(code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    const { command, onEnded } = this.#options;
    const wasRequested = this.#stopping !== undefined;
    this.#stopPromptDetector();
    // Wait for its last output, but not forever: descendants may hold its streams open.
    const closed = once(this.#child, 'close').catch(() => {});
    await Promise.race([closed, pause(localServerLimits.finalOutput, undefined, { ref: false })]);
    endGroup(this.pid, 'SIGKILL');
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    running.delete(this);
    onEnded(wasRequested);
    this.#ended.resolve();
    const detail = { command, ...(code !== null && { code }), ...(signal !== null && { signal }) };
    this.#listener.onEnd(this.#fault ?? new LostRequest('LOCAL_EXITED', { stage: 'local', purpose: 'mcp', detail }));
  }
}

const byteOrderMark = Buffer.from('\ufeff');

/** An interactive prompt at the end of an unfinished line. */
const promptPattern =
  /(?:\((?:y|yes)(?:\/(?:n|no))?\)|\[(?:y|yes)\/(?:n|no)\]|\?|\b(?:password|passphrase|passcode|pin|username|login|enter)\b[^:{]{0,80}:)\s*$/iu;

/** Detects a prompt printed before the first MCP message: we own stdin, so the user cannot answer it. */
class PromptDetector {
  readonly #onPrompt: (prompt: string) => void;
  #line = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(onPrompt: (prompt: string) => void) {
    this.#onPrompt = onPrompt;
  }

  /** Output from stdout or stderr. */
  feed(chunk: Buffer): void {
    clearTimeout(this.#timer);
    const { patience, length } = localServerLimits.prompt;
    const text = `${this.#line}${chunk.subarray(-length).toString('utf8')}`;
    this.#line = text.slice(text.lastIndexOf('\n') + 1).slice(-length);
    const line = stripTerminalSequences(this.#line);
    if (line.trimStart().startsWith('{') || !promptPattern.test(line)) return;
    this.#timer = setTimeout(() => this.#onPrompt(line), patience);
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** Banners and logs on stdout are tolerated up to a rate; endless output is not. */
class StrayOutputLimit {
  #since = -Infinity;
  #bytes = 0;

  isExceededBy(bytes: number): boolean {
    const { bytes: limit, line, within } = localServerLimits.noise;
    const now = performance.now();
    if (now - this.#since > within) [this.#since, this.#bytes] = [now, 0];
    this.#bytes += Math.max(bytes, line);
    return this.#bytes > limit;
  }
}

/** Signals a process and its group. A process that is gone is not an error. */
export function endGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid <= 1) return;
  if (isWindows) {
    const file = path.win32.join(windowsExecutables(process.env), 'taskkill.exe');
    const force = signal === 'SIGKILL' ? ['/F'] : [];
    execFile(file, ['/PID', String(pid), '/T', ...force], { windowsHide: true }, () => {});
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is gone.
  }
}

/** Retains the last bytes of the output, so that memory stays bounded. */
export class OutputTail {
  readonly #limit: number;
  #parts: Buffer[] = [];
  #bytes = 0;
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(chunk: Buffer): void {
    this.#total += chunk.byteLength;
    // Copy: the chunk shares its memory with other reads.
    const tail = Buffer.from(chunk.subarray(Math.max(0, chunk.byteLength - this.#limit)));
    this.#parts.push(tail);
    this.#bytes += tail.byteLength;
    if (this.#bytes > 2 * this.#limit || this.#parts.length > 4_096) this.#shorten();
  }

  /** Output after the first `since` bytes. If some of it was dropped, starts at a new line. */
  read(since = 0): LocalOutput {
    this.#shorten();
    const tail = this.#parts[0] ?? Buffer.alloc(0);
    const missing = this.#total - tail.byteLength;
    if (since >= missing) return { text: tail.subarray(since - missing).toString('utf8'), total: this.#total };
    const text = tail.toString('utf8');
    return { text: text.slice(text.indexOf('\n') + 1), total: this.#total };
  }

  #shorten(): void {
    const all = Buffer.concat(this.#parts);
    const tail = all.byteLength > this.#limit ? Buffer.from(all.subarray(all.byteLength - this.#limit)) : all;
    this.#parts = [tail];
    this.#bytes = tail.byteLength;
  }
}

const [space, lineEnd] = [0x20, Buffer.from('\n')];

/** The multi-line object that a line completes, and the lines that belong to none. */
interface LineResult {
  readonly object: Buffer | undefined;
  readonly noise: readonly Buffer[];
}

/**
 * A JSON object spread over several lines, at most `limit` bytes, although a message has one (MCP 2025-11-25, stdio).
 */
export class MultilineObject {
  readonly #limit: number;
  #tokens = new JsonTokens();
  #lines: Buffer[] = [];
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isOpen(): boolean {
    return this.#lines.length > 0;
  }

  /** Takes a line that is not a message on its own, without its line ending. */
  feed(line: Buffer): LineResult {
    const before = this.isOpen ? this.#add(line) : undefined;
    if (before) return before;
    // It may start a new object.
    const noise = this.drop();
    const started = line.find((byte) => byte > space) === openObject ? this.#add(line) : undefined;
    if (started && !started.object && started.noise.length === 0) return { object: undefined, noise };
    this.drop();
    return { object: undefined, noise: [...noise, line] };
  }

  /** Abandons the object and returns its lines. */
  drop(): readonly Buffer[] {
    const lines = this.#lines;
    this.#tokens = new JsonTokens();
    this.#lines = [];
    this.#bytes = 0;
    return lines;
  }

  /** `undefined` if the line cannot continue the object. */
  #add(line: Buffer): LineResult | undefined {
    const tokens = this.#tokens;
    tokens.feed(Buffer.concat([line, lineEnd]));
    while (tokens.next(0));
    if (tokens.fault >= 0 || this.#bytes + line.byteLength > this.#limit) return undefined;
    // Copy: the chunk shares its memory with other reads.
    this.#lines.push(Buffer.from(line));
    this.#bytes += line.byteLength + lineEnd.byteLength;
    if (!tokens.isJson) return { object: undefined, noise: [] };
    const lines = this.drop();
    return { object: Buffer.concat(lines.flatMap((each) => [each, lineEnd])), noise: [] };
  }
}
