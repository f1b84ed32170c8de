import { LineReader } from './read-lines.js';

/** @import { Socket } from 'node:net' */
/** @import { Envelope } from './scan-envelope.js' */

/**
 * A whole line of the app that was not sent, or may not have been.
 * @typedef {{ readonly bytes: Buffer, readonly envelope: Envelope }} Line
 */

/** Longer lines are passed on in parts as they come, so that no large message is held in memory. */
const longestHeld = 64 * 1_024;
/** Bytes that are read from the app while nothing takes them. */
const longestWaiting = 1_024 * 1_024;
/** Bytes on their way to the gateway, beyond which nothing is read from the app. */
const longestUnsent = 256 * 1_024;

/** Lines of control between a pipe and its gateway: main/net/endpoint/pipe-connection.ts. */
const hereWord = '{"postern":1,"control":"here"}\n';
const restWord = '{"postern":1,"control":"rest"}\n';
const restingWord = '{"postern":1,"control":"resting"}\n';
const backWord = '{"postern":1,"control":"back"}\n';
const askWord = '{"postern":1,"control":"ask"}\n';

/**
 * One app and its gateway. Outlives a connection: requests that were sent and not answered get SESSION_LOST; unsent and
 * returned ones wait; and the app's handshake is repeated on the next connection.
 */
export class Session {
  #write;
  #flow;
  /**
   * The connection, once the handshake was repeated.
   * @type {Socket | undefined}
   */
  #open;
  /** @type {Line[]} */
  #waiting = [];
  #waitingBytes = 0;
  /**
   * Returned by the gateway, in order: not sent to the server.
   * @type {Line[]}
   */
  #returned = [];
  /** The gateway is yielding to another one: requests wait for that. */
  #isResting = false;
  /**
   * Handed to the connection, in order, and not known to have been sent.
   * @type {Line[]}
   */
  #leaving = [];
  /**
   * The app's requests in flight: ids as written, by key.
   * @type {Map<string, string>}
   */
  #sent = new Map();
  /**
   * Requests to the app that it has not answered.
   * @type {Map<string, string>}
   */
  #asked = new Map();
  /** @type {Line | undefined} */
  #initialize;
  #isInitialized = false;
  /**
   * `notifications/initialized`.
   * @type {Buffer | undefined}
   */
  #ready;
  /**
   * Open `subscriptions/listen` requests.
   * @type {Map<string, Line>}
   */
  #listening = new Map();
  /** What the app has listed, so it can be notified of changes. */
  #listed = new Set(['tools']);
  /** In the rest of a long line whose beginning went to a lost connection. */
  #isTorn = false;
  /** Number of the app's lines that are not a message. */
  #unclear = 0;
  /** The app's input has ended, so it will answer nothing more. */
  #isOver = false;
  #fromApp;

  /**
   * @param {object} options
   * @param {(bytes: Buffer | string) => void} options.write to the app
   * @param {() => void} options.flow called when `isReading` may have changed
   */
  constructor({ write, flow }) {
    this.#write = write;
    this.#flow = flow;
    this.#fromApp = new LineReader({
      limit: () => (this.#open && !this.#isResting ? longestHeld : Infinity),
      whole: (bytes, envelope) => this.#take({ bytes, envelope: isEmpty(bytes) ? envelope : this.#named(envelope) }),
      part: (part) => this.#passOn(part),
      end: (part, envelope) => this.#endLong(part, this.#named(envelope)),
    });
  }

  /** @param {Buffer} chunk of the app */
  read(chunk) {
    const connection = this.#open;
    connection?.cork();
    this.#fromApp.push(chunk);
    connection?.uncork();
  }

  /** The app's input has ended. Its last line may have no line end. */
  endInput() {
    if (this.#fromApp.heldBytes > 0 || this.#fromApp.isWithinLong) this.read(Buffer.from('\n'));
    this.#isOver = true;
    for (const id of this.#asked.values()) this.#decline(id);
  }

  /** Answers what was sent and will get no response. */
  giveUp() {
    const unanswered = [...this.#sent].filter(([key]) => !this.#listening.has(key));
    for (const [, id] of unanswered) this.#lost(id);
    this.#sent.clear();
  }

  /** Whether more of the app may be read now. */
  get isReading() {
    if (this.#open && !this.#isResting) return this.#open.writableLength < longestUnsent;
    return this.#waitingBytes + this.#fromApp.heldBytes < longestWaiting;
  }

  /** Whether the app has sent something that no connection has. */
  get hasWaiting() {
    return this.#waiting.length > 0;
  }

  /** Whether the app waits for something that no connection has. */
  get isNeeded() {
    return this.#isHandshakeOpen() || this.#waiting.some(({ envelope }) => isRequest(envelope));
  }

  /** The same, including what a connection has. Subscriptions do not count, since they have no response. */
  get isAwaitingResponse() {
    return this.isNeeded || [...this.#sent.keys()].some((key) => !this.#listening.has(key));
  }

  /**
   * Whether a control line can be sent, or is blocked by what the gateway does not take.
   * @param {Socket} connection
   */
  canAsk(connection) {
    return !this.#isWithinSent || connection.writableLength > 0;
  }

  /**
   * Pings the gateway.
   * @param {Socket} connection
   */
  ask(connection) {
    if (!this.#isWithinSent) connection.write(askWord);
  }

  /**
   * Sends nothing before the gateway's `here`: one that is ending accepts connections whose lines it never reads.
   * @param {Socket} connection to a gateway, with only the first line written
   * @returns {{ read(chunk: Buffer): void, end(): void }} handles what comes from it, and its end
   */
  connect(connection) {
    const again = this.#initialize;
    /** Key of the repeated handshake, whose response is not for the app. */
    let repeatedKey = again && this.#isInitialized ? again.envelope.key : undefined;
    let isHere = false;
    const begin = () => {
      if (isHere) return;
      isHere = true;
      if (again) {
        connection.write(again.bytes);
        if (repeatedKey === undefined) this.#noteSent(again.envelope);
      }
      if (repeatedKey === undefined) this.#resume(connection);
    };
    /** The next line is one of the app's that is returned. */
    let isNextReturned = false;
    const fromGateway = new LineReader({
      limit: () => (repeatedKey === undefined && !isNextReturned ? longestHeld : Infinity),
      whole: (line, envelope) => {
        if (isNextReturned) {
          isNextReturned = false;
          // The repeated handshake is stored anyway.
          if (repeatedKey === undefined || envelope.key !== repeatedKey) this.#takeReturned({ bytes: line, envelope });
        } else if (isWord(line, envelope, hereWord)) begin();
        else if (isWord(line, envelope, backWord)) isNextReturned = true;
        else if (isWord(line, envelope, restWord)) this.#rest(connection);
        else if (envelope.isAnswer && envelope.key === repeatedKey) {
          repeatedKey = undefined;
          if (!this.#isResting) this.#resume(connection);
        } else {
          this.#note(envelope);
          this.#write(line);
        }
      },
      part: (part) => this.#write(part),
      end: (part, envelope) => {
        this.#note(envelope);
        this.#write(part);
      },
    });
    return {
      read: (chunk) => fromGateway.push(chunk),
      end: () => {
        // Terminates a partial line, so that what follows is a line of its own.
        if (fromGateway.isWithinLong) this.#write('\n');
        this.#lose();
      },
    };
  }

  /**
   * Answers every waiting request with this error.
   * @param {string} message
   * @param {Record<string, string>} data
   */
  refuse(message, data) {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    if (this.#initialize && this.#isHandshakeOpen()) this.#refuse(this.#initialize.envelope.id, message, data);
    this.#isInitialized = this.#initialize !== undefined;
    for (const { envelope } of waiting) if (isRequest(envelope)) this.#refuse(envelope.id, message, data);
    this.#flow();
  }

  /**
   * A line that is not a message counts as a request, since it is answered.
   * @param {Envelope} envelope
   */
  #named(envelope) {
    return envelope.isUnclear ? { ...envelope, id: 'null', key: `null ${(this.#unclear += 1)}` } : envelope;
  }

  /** @param {Line} line of the app */
  #take(line) {
    // The question came from a lost connection; the next one may have asked something else with that id.
    if (line.envelope.isAnswer && !this.#asked.delete(line.envelope.key ?? '')) return;
    if (this.#open && !(this.#isResting && this.#waitsAtRest(line))) return this.#send(this.#open, line);
    // Copied, since a chunk is larger than its lines.
    this.#waiting.push({ bytes: Buffer.from(line.bytes), envelope: line.envelope });
    this.#waitingBytes += line.bytes.length;
    this.#flow();
  }

  /** @param {Socket} connection @param {Line} line */
  #send(connection, line) {
    this.#noteSent(line.envelope);
    const { method, key } = line.envelope;
    if (method === 'initialize' && key !== undefined) {
      this.#initialize = { bytes: Buffer.from(line.bytes), envelope: line.envelope };
      this.#isInitialized = false;
      this.#ready = undefined;
    } else if (method === 'notifications/initialized') this.#ready = Buffer.from(line.bytes);
    else if (method === 'subscriptions/listen' && key !== undefined) {
      this.#listening.set(key, { bytes: Buffer.from(line.bytes), envelope: line.envelope });
    } else if (method === 'notifications/cancelled') this.#cancel(line.bytes.toString());
    this.#leaving.push(line);
    connection.write(line.bytes, (error) => {
      if (!error) this.#leaving.shift();
    });
    this.#flow();
  }

  /**
   * Its response is no longer awaited, and may never come.
   * @param {string} cancellation
   */
  #cancel(cancellation) {
    for (const [key, id] of this.#sent) {
      if (!isOf(cancellation, id)) continue;
      this.#sent.delete(key);
      this.#listening.delete(key);
    }
  }

  /**
   * What belongs to a request in flight goes on; everything else is for the next gateway.
   * @param {Line} line
   */
  #waitsAtRest({ bytes, envelope }) {
    if (envelope.isAnswer) return false;
    if (envelope.method !== 'notifications/cancelled') return true;
    const cancellation = bytes.toString();
    return ![...this.#sent.values()].some((id) => isOf(cancellation, id));
  }

  /** The connection has the beginning of a long line, but not its end. */
  get #isWithinSent() {
    return this.#fromApp.isWithinLong && !this.#isTorn;
  }

  /** @param {Socket} connection */
  #rest(connection) {
    this.#isResting = true;
    // After the end of a long line that was partly sent.
    if (!this.#isWithinSent) connection.write(restingWord);
    this.#flow();
  }

  /** @param {Line} line */
  #takeReturned({ bytes, envelope }) {
    this.#forget(envelope);
    this.#returned.push({ bytes: Buffer.from(bytes), envelope });
  }

  /** @param {Envelope} envelope of the app */
  #noteSent({ id, key, method, isAnswer }) {
    if (isAnswer || id === undefined || key === undefined) return;
    this.#sent.set(key, id);
    if (method?.endsWith('/list')) this.#listed.add(method.slice(0, -'/list'.length));
  }

  /** @param {Envelope} envelope of the gateway */
  #note({ id, key, method, isUnclear }) {
    // These are answered in order.
    if (isUnclear) this.#sent.delete([...this.#sent.keys()].find((each) => each.startsWith('null ')) ?? '');
    if (id === undefined || key === undefined) return;
    if (method !== undefined) {
      this.#asked.set(key, id);
      if (this.#isOver) this.#decline(id);
    } else {
      this.#sent.delete(key);
      this.#listening.delete(key);
      if (key === this.#initialize?.envelope.key) this.#isInitialized = true;
    }
  }

  /**
   * In the app's place, since a server waits for the response.
   * @param {string} id
   */
  #decline(id) {
    const error = { code: -32_000, message: 'The app has closed its input.' };
    this.read(Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}\n`));
  }

  /** @param {Buffer} part of a long line of the app */
  #passOn(part) {
    if (!this.#open) this.#isTorn = true;
    if (!this.#isTorn) this.#open?.write(part);
    this.#flow();
  }

  /** @param {Buffer} part @param {Envelope} envelope */
  #endLong(part, envelope) {
    if (this.#open && !this.#isTorn) {
      this.#noteSent(envelope);
      if (envelope.isAnswer) this.#asked.delete(envelope.key ?? '');
      this.#passOn(part);
      if (this.#isResting) this.#open.write(restingWord);
    } else if (isRequest(envelope)) this.#lost(envelope.id);
    this.#isTorn = false;
  }

  /**
   * Sends the rest of the handshake, and then what waits.
   * @param {Socket} connection
   */
  #resume(connection) {
    connection.cork();
    if (this.#ready) connection.write(this.#ready);
    for (const { bytes, envelope } of this.#listening.values()) {
      connection.write(bytes);
      this.#noteSent(envelope);
    }
    if (this.#ready || this.#listening.size > 0) {
      for (const list of ['tools', 'resources', 'prompts'].filter((each) => this.#listed.has(each))) {
        this.#write(`${JSON.stringify({ jsonrpc: '2.0', method: `notifications/${list}/list_changed` })}\n`);
      }
    }
    this.#open = connection;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    for (const line of waiting) this.#send(connection, line);
    connection.uncork();
    this.#flow();
  }

  #lose() {
    this.#open = undefined;
    this.#isResting = false;
    this.#isTorn ||= this.#fromApp.isWithinLong;
    // The gateway reads whole lines, so a partly sent line was not understood and is sent again. Except a request that
    // was answered before its write was confirmed: it would run twice.
    const leaving = this.#leaving.filter(({ envelope }) => !isRequest(envelope) || this.#sent.has(envelope.key ?? ''));
    for (const { envelope } of leaving) this.#forget(envelope);
    // Copied, since the memory they were read into is reused.
    const unsent = leaving.map(({ bytes, envelope }) => ({ bytes: Buffer.from(bytes), envelope }));
    this.#waiting = [...this.#returned, ...unsent, ...this.#waiting];
    this.#returned = [];
    this.#waitingBytes = this.#waiting.reduce((sum, { bytes }) => sum + bytes.length, 0);
    this.#leaving = [];
    for (const [key, id] of this.#sent) {
      const isRepeated =
        this.#listening.has(key) || (this.#isHandshakeOpen() && key === this.#initialize?.envelope.key);
      if (!isRepeated) this.#lost(id);
    }
    this.#sent.clear();
    for (const id of this.#asked.values()) {
      this.#write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}\n`);
    }
    this.#asked.clear();
    this.#flow();
  }

  /**
   * As if it had never been sent.
   * @param {Envelope} envelope
   */
  #forget({ key, method }) {
    if (key !== undefined) {
      this.#sent.delete(key);
      this.#listening.delete(key);
      if (key === this.#initialize?.envelope.key) this.#initialize = undefined;
    }
    if (method === 'notifications/initialized') this.#ready = undefined;
  }

  #isHandshakeOpen() {
    return this.#initialize !== undefined && !this.#isInitialized;
  }

  /** @param {string | undefined} id */
  #lost(id) {
    // A null id does not identify the request.
    if (id === 'null') return;
    const message = 'The connection to Postern ended before a response came. The request may have been carried out.';
    this.#refuse(id, message, { code: 'SESSION_LOST' });
  }

  /** @param {string | undefined} id @param {string} message @param {Record<string, string>} data */
  #refuse(id, message, data) {
    const error = JSON.stringify({ code: -32_000, message, data });
    this.#write(`{"jsonrpc":"2.0","id":${id},"error":${error}}\n`);
  }
}

/** @param {Envelope} envelope */
function isRequest({ id, isAnswer }) {
  return id !== undefined && !isAnswer;
}

/**
 * The gateway skips it.
 * @param {Buffer} line with its line end
 */
function isEmpty(line) {
  return /^\r?\n$/u.test(line.toString('latin1', 0, 3));
}

/** @param {Buffer} line @param {Envelope} envelope @param {string} word */
function isWord(line, { id, method }, word) {
  return id === undefined && method === undefined && line.length === word.length && line.toString() === word;
}

/**
 * Whether a cancellation is for the request with this id.
 * @param {string} cancellation
 * @param {string} [id]
 */
function isOf(cancellation, id = '') {
  const [, after = ''] = cancellation.split(/"requestId"\s*:\s*/u);
  return after.startsWith(id) && /^\s*[,}]/u.test(after.slice(id.length));
}
