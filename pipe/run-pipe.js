import { fstatSync, readFileSync, writeSync } from 'node:fs';
import { Socket, connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { gatewayAddresses, holdsProfile } from './find-gateway.js';
import { parseArguments, usage } from './parse-arguments.js';
import { Session } from './session.js';
import { isRunning, startPostern } from './start-postern.js';

/** @import { PipeArguments } from './parse-arguments.js' */
/** @typedef {{ readonly writableLength: number, readonly writable: boolean }} Writer */

/** Postern's version; a test compares them. */
const version = '0.1.0';

/** Milliseconds, here and below. */
const firstPause = 50;
const pause = 100;
const restingPause = 1_000;
/**
 * How long to look for Postern: from its start, or from the end of a working connection; and once the started process
 * has ended, which may have found another one serving.
 */
const patience = 10_000;
/** While that process runs: a busy computer can keep it from listening. Apps give up after 30 s. */
const maxStartTime = 28_000;
/** The same for an app that was served before: AI apps give up a single request after 60 s. */
const maxRestartTime = 55_000;
/** After an orderly end: time for a successor to listen, such as a window or a restarted service. */
const restartDelay = 2_000;
/** The same if a socket was left behind, as only a killed process does. */
const killedDelay = 200;
/** How long a gateway may stay silent after accepting the connection: a live one sends `here` at once. */
const silenceTimeout = 10_000;
/** Interval of checks whether the parent still runs, and whether an expected response has come. */
const poll = 2_000;
const closingTime = 500;
/** After the end of the app's input: how long the gateway may stay silent while requests are unanswered. */
const responseTimeout = 60_000;
/** The same, in total. */
const maxResponseTime = 600_000;
/** Time to read the last responses. */
const drainTime = 10_000;

const profileStep = 'Check the folder in the entry of this app. Postern creates a profile when you connect a server.';

const chunkBytes = 64 * 1_024;
/** Bytes of the folder in the first line, which is limited to 4 KiB. */
const maxFolderBytes = 1_024;

/**
 * Connects an app's standard input and output to the gateway of a profile until either ends. Exits the process with 0;
 * with 1 if no gateway was ever reached; with 2 for a usage error.
 * @param {readonly string[]} argv
 * @param {readonly string[]} [postern] the command that starts Postern in the background; absent if unknown
 */
export function runPipe(argv, postern) {
  // The remaining compiler is fast enough for a pipe; the optimizing one and its threads cost 6 MB.
  for (const flag of ['--no-opt', '--no-concurrent-recompilation']) setFlagsFromString(flag);
  const args = parseArguments(argv);
  if (!args) {
    log(usage);
    process.exit(2);
  }
  new Pipe(args, postern).begin();
}

class Pipe {
  #args;
  #postern;
  #stdin = openStdin(
    (chunk) => {
      this.#session.read(chunk);
      this.#retryNow();
    },
    () => this.#connection,
  );
  #stdout = openStdout();
  #session = new Session({ write: (bytes) => this.#write(bytes), flow: () => this.#flow() });
  /** @type {Socket | undefined} */
  #connection;
  #hasConnected = false;
  /** Whether any gateway has ever sent something. */
  #hasReceived = false;
  #hasStarted = false;
  /**
   * Process id of the Postern that was started last.
   * @type {number | undefined}
   */
  #started;
  /** When that process was last seen running, in monotonic milliseconds. */
  #seenAt = 0;
  /** The last gateway sent nothing: wait until the app needs one. */
  #wasSilent = false;
  #isEnding = false;
  /**
   * When the app's input ended, in monotonic milliseconds.
   * @type {number | undefined}
   */
  #inputEndedAt;
  /** @type {NodeJS.Timeout | undefined} */
  #responseTimer;
  /** Since when no gateway has been connected, in monotonic milliseconds. */
  #disconnectedSince = performance.now();
  /**
   * Since when the app has waited for a gateway.
   * @type {number | undefined}
   */
  #neededSince;
  /** Whether the connected gateway has sent something. */
  #hasResponded = false;
  /** Consecutive checks at which the app waited and the gateway had sent nothing. */
  #silentPolls = 0;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  /** No gateway for a long time, and none is needed: try rarely. */
  #isResting = false;

  /** @param {PipeArguments} args @param {readonly string[] | undefined} postern */
  constructor(args, postern) {
    this.#args = args;
    this.#postern = postern;
  }

  begin() {
    const parent = process.ppid;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => this.#end());
    setInterval(() => (process.ppid === parent ? this.#detectSilence() : this.#end()), poll).unref();
    this.#stdin.on('end', () => {
      this.#inputEndedAt = performance.now();
      this.#session.endInput();
      this.#retryNow();
      this.#endAfterResponses();
    });
    this.#stdin.on('error', () => this.#end());
    this.#stdout.on('error', () => this.#end());
    this.#stdout.on('drain', () => this.#connection?.resume());
    this.#tryConnect();
  }

  /** A script closes its output after its last request: the responses still have to come. */
  #endAfterResponses() {
    if (this.#inputEndedAt === undefined || this.#isEnding) return;
    if (!this.#session.isAwaitingResponse) return this.#end();
    clearTimeout(this.#responseTimer);
    const left = this.#inputEndedAt + maxResponseTime - performance.now();
    this.#responseTimer = setTimeout(
      () => {
        this.#session.failUnanswered();
        this.#end();
      },
      Math.max(Math.min(responseTimeout, left), 0),
    );
  }

  /** Tries each place once. */
  #tryConnect() {
    if (this.#wasSilent) {
      if (!this.#session.needsGateway) {
        this.#timer = setTimeout(() => this.#tryConnect(), pause);
        return;
      }
      this.#wasSilent = false;
      this.#disconnectedSince = performance.now();
    }
    this.#isResting = false;
    const places = gatewayAddresses(this.#args.profileFolder);
    let wasKilled = false;
    /** @param {number} at */
    const tryPlace = (at) => {
      const place = places[at];
      if (place === undefined) return this.#waitForGateway(wasKilled);
      /** @type {(chunk: Buffer) => void} */
      let onChunk = () => {};
      const onread = readInPlace(
        (chunk) => onChunk(chunk),
        () => this.#stdout,
      );
      const socket = connect({ path: place, onread });
      socket.once('error', (/** @type {NodeJS.ErrnoException} */ { code }) => {
        wasKilled ||= code === 'ECONNREFUSED';
        tryPlace(at + 1);
      });
      socket.once('connect', () => {
        socket.removeAllListeners('error');
        onChunk = this.#serve(socket);
      });
    };
    tryPlace(0);
  }

  /**
   * No gateway was found.
   * @param {boolean} wasKilled the last one left its socket behind
   */
  #waitForGateway(wasKilled) {
    const now = performance.now();
    const { needsGateway: isNeeded } = this.#session;
    if (isNeeded) this.#neededSince ??= now;
    const restarts = this.#disconnectedSince + (wasKilled ? killedDelay : restartDelay);
    const startsAt = this.#hasConnected ? Math.max(restarts, this.#neededSince ?? Infinity) : this.#disconnectedSince;
    const { profileFolder } = this.#args;
    if (!holdsProfile(profileFolder)) {
      if (isNeeded) return this.#giveUp(`has no profile in ${profileFolder}`, profileStep);
    } else if (!this.#hasStarted && now >= startsAt && this.#postern) {
      this.#hasStarted = true;
      startPostern(this.#postern, profileFolder, (pid) => (this.#started = pid));
    }
    if (this.#started !== undefined && isRunning(this.#started)) this.#seenAt = now;
    const patientUntil = Math.max(startsAt, this.#seenAt) + patience;
    const longest = startsAt + (this.#hasConnected ? maxRestartTime : maxStartTime);
    if (this.#neededSince !== undefined && now >= Math.min(patientUntil, longest)) {
      return this.#seenAt === now
        ? this.#giveUp(
            'was started but is not ready yet',
            'Wait a minute, then try again. If it keeps happening, run `postern doctor`.',
          )
        : this.#giveUp('could not be reached or started', 'Start Postern, or run `postern serve`.');
    }
    this.#isResting = this.#neededSince === undefined && now - this.#disconnectedSince > patience;
    this.#timer = setTimeout(() => this.#tryConnect(), this.#isResting ? restingPause : pause);
  }

  /** Called after input from the app. */
  #retryNow() {
    if (!this.#isResting || !this.#session.needsGateway) return;
    clearTimeout(this.#timer);
    this.#tryConnect();
  }

  /** @param {string} what @param {string} nextStep */
  #giveUp(what, nextStep) {
    this.#failWaiting(what, nextStep);
    if (!this.#hasConnected || this.#isEnding) return this.#end();
    this.#neededSince = undefined;
    this.#hasStarted = false;
    this.#timer = setTimeout(() => this.#tryConnect(), pause);
  }

  /**
   * Fails waiting requests.
   * @param {string} what completes "Postern …"
   * @param {string} nextStep
   */
  #failWaiting(what, nextStep) {
    log(`postern: ${what}.`);
    this.#session.refuse(`Postern ${what}.`, { code: 'GATEWAY_UNREACHABLE', nextStep });
    if (this.#hasConnected) this.#endAfterResponses();
  }

  /** The gateway process hangs: the app gets an error anyway. */
  #giveUpOnSilence() {
    this.#wasSilent = true;
    this.#forgetStart();
    const isNeeded = this.#session.needsGateway;
    this.#failWaiting(
      'is running but does not respond',
      'Run `postern doctor` to find its process, and end that process.',
    );
    if (isNeeded && !this.#hasReceived) return this.#end(1);
    if (this.#isEnding) return;
    this.#neededSince = undefined;
    this.#timer = setTimeout(() => this.#tryConnect(), pause);
  }

  /** A gateway was connected. Another process may get that ID later. */
  #forgetStart() {
    this.#hasStarted = false;
    this.#started = undefined;
  }

  /** Pings a silent gateway, and disconnects it if it hangs. */
  #detectSilence() {
    const connection = this.#connection;
    // While the app does not read, nothing is read from the gateway.
    const canPing = connection && this.#hasResponded && !connection.isPaused() && this.#session.canPing(connection);
    if (!canPing || !this.#session.isAwaitingResponse) {
      this.#silentPolls = 0;
      return;
    }
    this.#silentPolls += 1;
    if (this.#silentPolls * poll >= silenceTimeout) connection.destroy();
    else this.#session.ping(connection);
  }

  /**
   * @param {Socket} socket
   * @returns {(chunk: Buffer) => void} handles its output
   */
  #serve(socket) {
    this.#connection = socket;
    socket.write(this.#firstLine());
    const side = this.#session.connect(socket);
    let isSilent = false;
    const silence = setTimeout(() => {
      isSilent = true;
      socket.destroy();
    }, silenceTimeout);
    socket.on('drain', () => this.#flow());
    // `close` follows.
    socket.on('error', () => {});
    socket.once('close', () => {
      clearTimeout(silence);
      this.#connection = undefined;
      if (this.#isEnding) return;
      side.end();
      this.#endAfterResponses();
      if (this.#isEnding) return;
      if (isSilent) return this.#giveUpOnSilence();
      // A connection without any output does not count.
      if (!this.#hasResponded) return this.#waitForGateway(false);
      this.#disconnectedSince = performance.now();
      this.#neededSince = undefined;
      this.#forgetStart();
      this.#timer = setTimeout(() => this.#tryConnect(), firstPause);
    });
    if (!this.#hasConnected) log(`postern: connected, for ${this.#args.server}.`);
    this.#hasConnected = true;
    this.#hasResponded = false;
    return (chunk) => {
      this.#silentPolls = 0;
      if (!this.#hasResponded) {
        this.#hasResponded = true;
        clearTimeout(silence);
        this.#hasReceived = true;
      }
      side.read(chunk);
      this.#endAfterResponses();
      if (this.#isEnding) socket.end();
    };
  }

  #firstLine() {
    const { server, app } = this.#args;
    const open = { server, app, pipe: version, pid: process.pid, parent: parentName(), cwd: workingFolder() };
    return `${JSON.stringify({ postern: 1, open: { ...open, awaitsHere: true } })}\n`;
  }

  /** @param {Buffer | string} bytes */
  #write(bytes) {
    if (!this.#stdout.write(bytes)) this.#connection?.pause();
  }

  #flow() {
    if (this.#session.isReading === !this.#stdin.isPaused()) return;
    if (this.#session.isReading) this.#stdin.resume();
    else this.#stdin.pause();
  }

  /** Sends what was written first, for at most `closingTime`, or `drainTime` for last responses. */
  #end(code = this.#hasConnected ? 0 : 1) {
    if (this.#isEnding) return;
    this.#isEnding = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#responseTimer);
    setTimeout(() => process.exit(code), this.#inputEndedAt === undefined ? closingTime : drainTime);
    const endOutput = () => {
      if (this.#stdout.writableLength === 0 || this.#stdout.destroyed) process.exit(code);
      this.#stdout.once('drain', () => process.exit(code));
    };
    const connection = this.#connection;
    if (!connection) return endOutput();
    connection.once('finish', endOutput).once('close', endOutput);
    // Otherwise once it has sent `here`.
    if (this.#hasResponded || !this.#session.hasQueued) connection.end();
  }
}

/**
 * Reads into the same memory again, unless part of it is still to be written. New memory for each chunk would stay
 * until garbage collection and double the size of a busy pipe.
 * @param {(chunk: Buffer) => void} onChunk
 * @param {() => Writer | undefined} writer where the chunks go
 */
function readInPlace(onChunk, writer) {
  /** @type {Buffer | undefined} */
  let current;
  /** @type {Buffer[]} Earlier chunks that are not written yet. */
  const inUse = [];
  /** @type {Buffer[]} */
  const free = [];
  /** @param {Buffer} last */
  const release = (last) => {
    const { writableLength, writable } = writer() ?? { writableLength: 0, writable: true };
    if (writableLength === 0 && writable) free.push(...inUse.splice(0));
    else inUse.push(last);
    return inUse.length === 0;
  };
  return {
    /** @returns {Buffer} */
    buffer: () => {
      // Node continues with the current one.
      if (current && release(current)) return /** @type {any} */ (undefined);
      current = free.pop() ?? Buffer.allocUnsafeSlow(chunkBytes);
      return current;
    },
    /** @param {number} length @param {Uint8Array} buffer */
    callback: (length, buffer) => {
      onChunk(/** @type {Buffer} */ (buffer).subarray(0, length));
      return true;
    },
  };
}

/** @param {(chunk: Buffer) => void} onChunk @param {() => Writer | undefined} writer */
function openStdin(onChunk, writer) {
  if (!isPipe(0)) return process.stdin.on('data', onChunk);
  return new Socket({ fd: 0, writable: false, onread: readInPlace(onChunk, writer) });
}

/**
 * Node writes synchronously to a standard output that is a pipe, and would read nothing meanwhile: an app that writes
 * much before it reads would block forever.
 */
function openStdout() {
  return isPipe(1) ? new Socket({ fd: 1, readable: false, writable: true }) : process.stdout;
}

/** @param {number} descriptor */
function isPipe(descriptor) {
  const stats = fstatSync(descriptor);
  return stats.isFIFO() || stats.isSocket();
}

function parentName() {
  if (process.platform !== 'linux') return undefined;
  try {
    return readFileSync(`/proc/${process.ppid}/comm`, 'utf8').trim();
  } catch {
    return undefined;
  }
}

function workingFolder() {
  try {
    const folder = process.cwd();
    return Buffer.byteLength(folder) <= maxFolderBytes ? folder : undefined;
  } catch {
    // The folder was deleted.
    return undefined;
  }
}

/** @param {string} line */
function log(line) {
  try {
    writeSync(2, `${line}\n`);
  } catch {
    // Standard error is closed.
  }
}
