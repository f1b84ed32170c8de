import { LineReader } from './read-lines.js';

/** @import { Socket } from 'node:net' */
/** @import { Envelope } from './scan-envelope.js' */

/**
 * A whole line of the app that was not sent, or may not have been.
 * @typedef {{ readonly bytes: Buffer, readonly envelope: Envelope }} Line
 */

/** Longer lines are passed on in parts as they come, so that no large message is held in memory. */
const maxHeldBytes = 64 * 1_024;
/** Bytes that are read from the app while no gateway reads them. */
const maxQueuedBytes = 1_024 * 1_024;
/** Bytes not yet read by the gateway, beyond which nothing is read from the app. */
const maxUnsentBytes = 256 * 1_024;

/** Lines of control between a pipe and its gateway: main/net/endpoint/pipe-connection.ts. */
const hereLine = '{"postern":1,"control":"here"}\n';
const restLine = '{"postern":1,"control":"rest"}\n';
const restingLine = '{"postern":1,"control":"resting"}\n';
const backLine = '{"postern":1,"control":"back"}\n';
const askLine = '{"postern":1,"control":"ask"}\n';

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
  #queue = [];
  #queuedBytes = 0;
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
  #unconfirmed = [];
  /**
   * The app's requests in flight: ids as written, by key.
   * @type {Map<string, string>}
   */
  #inFlight = new Map();
  /**
   * Requests to the app that it has not answered.
   * @type {Map<string, string>}
   */
  #serverRequests = new Map();
  /** @type {Line | undefined} */
  #initialize;
  #isInitialized = false;
  /**
   * `notifications/initialized`.
   * @type {Buffer | undefined}
   */
  #initializedLine;
  /**
   * Open `subscriptions/listen` requests.
   * @type {Map<string, Line>}
   */
  #subscriptions = new Map();
  /** Lists that the app has requested, to notify it of changes. */
  #listed = new Set(['tools']);
  /** In the rest of a long line whose beginning went to a lost connection. */
  #isTorn = false;
  /** Number of the app's lines that are not a message. */
  #invalidCount = 0;
  /** The app's input has ended, so it will answer nothing more. */
  #hasInputEnded = false;
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
      limit: () => (this.#open && !this.#isResting ? maxHeldBytes : Infinity),
      whole: (bytes, envelope) =>
        this.#receive({ bytes, envelope: isEmpty(bytes) ? envelope : this.#withId(envelope) }),
      part: (part) => this.#forwardPart(part),
      end: (part, envelope) => this.#endLong(part, this.#withId(envelope)),
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
    if (this.#fromApp.pendingBytes > 0 || this.#fromApp.isMidLongLine) this.read(Buffer.from('\n'));
    this.#hasInputEnded = true;
    for (const id of this.#serverRequests.values()) this.#decline(id);
  }

  /** Fails requests that will get no response. */
  failUnanswered() {
    const unanswered = [...this.#inFlight].filter(([key]) => !this.#subscriptions.has(key));
    for (const [, id] of unanswered) this.#failLost(id);
    this.#inFlight.clear();
  }

  /** Whether more input of the app may be read now. */
  get isReading() {
    if (this.#open && !this.#isResting) return this.#open.writableLength < maxUnsentBytes;
    return this.#queuedBytes + this.#fromApp.pendingBytes < maxQueuedBytes;
  }

  /** Whether the app has sent something that no connection has. */
  get hasQueued() {
    return this.#queue.length > 0;
  }

  /** Whether the app waits for something that no connection has. */
  get needsGateway() {
    return this.#isHandshakeOpen() || this.#queue.some(({ envelope }) => isRequest(envelope));
  }

  /** The same, including what a connection has. Subscriptions do not count, since they have no response. */
  get isAwaitingResponse() {
    return this.needsGateway || [...this.#inFlight.keys()].some((key) => !this.#subscriptions.has(key));
  }

  /**
   * Whether a control line can be sent, or the gateway reads too slowly for one.
   * @param {Socket} connection
   */
  canPing(connection) {
    return !this.#isMidSentLine || connection.writableLength > 0;
  }

  /**
   * Pings the gateway.
   * @param {Socket} connection
   */
  ping(connection) {
    if (!this.#isMidSentLine) connection.write(askLine);
  }

  /**
   * Sends nothing before the gateway's `here`: one that is ending accepts connections whose lines it never reads.
   * @param {Socket} connection to a gateway, with only the first line written
   * @returns {{ read(chunk: Buffer): void, end(): void }} handles its output and its end
   */
  connect(connection) {
    const handshake = this.#initialize;
    /** Key of the repeated handshake, whose response is not for the app. */
    let repeatedKey = handshake && this.#isInitialized ? handshake.envelope.key : undefined;
    let isHere = false;
    const begin = () => {
      if (isHere) return;
      isHere = true;
      if (handshake) {
        connection.write(handshake.bytes);
        if (repeatedKey === undefined) this.#recordSent(handshake.envelope);
      }
      if (repeatedKey === undefined) this.#resume(connection);
    };
    /** The next line is one of the app's that is returned. */
    let isNextReturned = false;
    const fromGateway = new LineReader({
      limit: () => (repeatedKey === undefined && !isNextReturned ? maxHeldBytes : Infinity),
      whole: (line, envelope) => {
        if (isNextReturned) {
          isNextReturned = false;
          // The repeated handshake is stored anyway.
          if (repeatedKey === undefined || envelope.key !== repeatedKey) this.#requeue({ bytes: line, envelope });
        } else if (isControlLine(line, envelope, hereLine)) begin();
        else if (isControlLine(line, envelope, backLine)) isNextReturned = true;
        else if (isControlLine(line, envelope, restLine)) this.#rest(connection);
        else if (envelope.isResponse && envelope.key === repeatedKey) {
          repeatedKey = undefined;
          if (!this.#isResting) this.#resume(connection);
        } else {
          this.#recordReceived(envelope);
          this.#write(line);
        }
      },
      part: (part) => this.#write(part),
      end: (part, envelope) => {
        this.#recordReceived(envelope);
        this.#write(part);
      },
    });
    return {
      read: (chunk) => fromGateway.push(chunk),
      end: () => {
        // Terminates a partial line, so that what follows is a line of its own.
        if (fromGateway.isMidLongLine) this.#write('\n');
        this.#disconnect();
      },
    };
  }

  /**
   * Answers every waiting request with this error.
   * @param {string} message
   * @param {Record<string, string>} data
   */
  refuse(message, data) {
    const queued = this.#queue;
    this.#queue = [];
    this.#queuedBytes = 0;
    if (this.#initialize && this.#isHandshakeOpen()) this.#refuse(this.#initialize.envelope.id, message, data);
    this.#isInitialized = this.#initialize !== undefined;
    for (const { envelope } of queued) if (isRequest(envelope)) this.#refuse(envelope.id, message, data);
    this.#flow();
  }

  /**
   * A line that is not a message counts as a request, since it is answered.
   * @param {Envelope} envelope
   */
  #withId(envelope) {
    return envelope.isInvalid ? { ...envelope, id: 'null', key: `null ${(this.#invalidCount += 1)}` } : envelope;
  }

  /** @param {Line} line of the app */
  #receive(line) {
    // The question came from a lost connection; the next one may have asked something else with that id.
    if (line.envelope.isResponse && !this.#serverRequests.delete(line.envelope.key ?? '')) return;
    if (this.#open && !(this.#isResting && this.#waitsWhileResting(line))) return this.#send(this.#open, line);
    // Copied, since a chunk is larger than its lines.
    this.#queue.push({ bytes: Buffer.from(line.bytes), envelope: line.envelope });
    this.#queuedBytes += line.bytes.length;
    this.#flow();
  }

  /** @param {Socket} connection @param {Line} line */
  #send(connection, line) {
    this.#recordSent(line.envelope);
    const { method, key } = line.envelope;
    if (method === 'initialize' && key !== undefined) {
      this.#initialize = { bytes: Buffer.from(line.bytes), envelope: line.envelope };
      this.#isInitialized = false;
      this.#initializedLine = undefined;
    } else if (method === 'notifications/initialized') this.#initializedLine = Buffer.from(line.bytes);
    else if (method === 'subscriptions/listen' && key !== undefined) {
      this.#subscriptions.set(key, { bytes: Buffer.from(line.bytes), envelope: line.envelope });
    } else if (method === 'notifications/cancelled') this.#cancel(line.bytes.toString());
    this.#unconfirmed.push(line);
    connection.write(line.bytes, (error) => {
      if (!error) this.#unconfirmed.shift();
    });
    this.#flow();
  }

  /**
   * Its response is no longer awaited, and may never come.
   * @param {string} cancellation
   */
  #cancel(cancellation) {
    for (const [key, id] of this.#inFlight) {
      if (!cancels(cancellation, id)) continue;
      this.#inFlight.delete(key);
      this.#subscriptions.delete(key);
    }
  }

  /**
   * True for lines that the next gateway must get: all except those of a request in flight.
   * @param {Line} line
   */
  #waitsWhileResting({ bytes, envelope }) {
    if (envelope.isResponse) return false;
    if (envelope.method !== 'notifications/cancelled') return true;
    const cancellation = bytes.toString();
    return ![...this.#inFlight.values()].some((id) => cancels(cancellation, id));
  }

  /** The connection has the beginning of a long line, but not its end. */
  get #isMidSentLine() {
    return this.#fromApp.isMidLongLine && !this.#isTorn;
  }

  /** @param {Socket} connection */
  #rest(connection) {
    this.#isResting = true;
    // After the end of a long line that was partly sent.
    if (!this.#isMidSentLine) connection.write(restingLine);
    this.#flow();
  }

  /** @param {Line} line */
  #requeue({ bytes, envelope }) {
    this.#forget(envelope);
    this.#returned.push({ bytes: Buffer.from(bytes), envelope });
  }

  /** @param {Envelope} envelope of the app */
  #recordSent({ id, key, method, isResponse }) {
    if (isResponse || id === undefined || key === undefined) return;
    this.#inFlight.set(key, id);
    if (method?.endsWith('/list')) this.#listed.add(method.slice(0, -'/list'.length));
  }

  /** @param {Envelope} envelope of the gateway */
  #recordReceived({ id, key, method, isInvalid }) {
    // These are answered in order.
    if (isInvalid) this.#inFlight.delete([...this.#inFlight.keys()].find((each) => each.startsWith('null ')) ?? '');
    if (id === undefined || key === undefined) return;
    if (method !== undefined) {
      this.#serverRequests.set(key, id);
      if (this.#hasInputEnded) this.#decline(id);
    } else {
      this.#inFlight.delete(key);
      this.#subscriptions.delete(key);
      if (key === this.#initialize?.envelope.key) this.#isInitialized = true;
    }
  }

  /**
   * Answers for the app, since a server waits for the response.
   * @param {string} id
   */
  #decline(id) {
    const error = { code: -32_000, message: 'The app has closed its input.' };
    this.read(Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}\n`));
  }

  /** @param {Buffer} part of a long line of the app */
  #forwardPart(part) {
    if (!this.#open) this.#isTorn = true;
    if (!this.#isTorn) this.#open?.write(part);
    this.#flow();
  }

  /** @param {Buffer} part @param {Envelope} envelope */
  #endLong(part, envelope) {
    if (this.#open && !this.#isTorn) {
      this.#recordSent(envelope);
      if (envelope.isResponse) this.#serverRequests.delete(envelope.key ?? '');
      this.#forwardPart(part);
      if (this.#isResting) this.#open.write(restingLine);
    } else if (isRequest(envelope)) this.#failLost(envelope.id);
    this.#isTorn = false;
  }

  /**
   * Sends the rest of the handshake, and then the queue.
   * @param {Socket} connection
   */
  #resume(connection) {
    connection.cork();
    if (this.#initializedLine) connection.write(this.#initializedLine);
    for (const { bytes, envelope } of this.#subscriptions.values()) {
      connection.write(bytes);
      this.#recordSent(envelope);
    }
    if (this.#initializedLine || this.#subscriptions.size > 0) {
      for (const list of ['tools', 'resources', 'prompts'].filter((each) => this.#listed.has(each))) {
        this.#write(`${JSON.stringify({ jsonrpc: '2.0', method: `notifications/${list}/list_changed` })}\n`);
      }
    }
    this.#open = connection;
    const queued = this.#queue;
    this.#queue = [];
    this.#queuedBytes = 0;
    for (const line of queued) this.#send(connection, line);
    connection.uncork();
    this.#flow();
  }

  #disconnect() {
    this.#open = undefined;
    this.#isResting = false;
    this.#isTorn ||= this.#fromApp.isMidLongLine;
    // The gateway ignores a partly sent line, so that one is sent again. Not a request that was answered before its
    // write was confirmed: it would run twice.
    const unsentLines = this.#unconfirmed.filter(
      ({ envelope }) => !isRequest(envelope) || this.#inFlight.has(envelope.key ?? ''),
    );
    for (const { envelope } of unsentLines) this.#forget(envelope);
    // Copied, since the memory they were read into is reused.
    const unsent = unsentLines.map(({ bytes, envelope }) => ({ bytes: Buffer.from(bytes), envelope }));
    this.#queue = [...this.#returned, ...unsent, ...this.#queue];
    this.#returned = [];
    this.#queuedBytes = this.#queue.reduce((sum, { bytes }) => sum + bytes.length, 0);
    this.#unconfirmed = [];
    for (const [key, id] of this.#inFlight) {
      const isRepeated =
        this.#subscriptions.has(key) || (this.#isHandshakeOpen() && key === this.#initialize?.envelope.key);
      if (!isRepeated) this.#failLost(id);
    }
    this.#inFlight.clear();
    for (const id of this.#serverRequests.values()) {
      this.#write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}\n`);
    }
    this.#serverRequests.clear();
    this.#flow();
  }

  /**
   * Treats the message as never sent.
   * @param {Envelope} envelope
   */
  #forget({ key, method }) {
    if (key !== undefined) {
      this.#inFlight.delete(key);
      this.#subscriptions.delete(key);
      if (key === this.#initialize?.envelope.key) this.#initialize = undefined;
    }
    if (method === 'notifications/initialized') this.#initializedLine = undefined;
  }

  #isHandshakeOpen() {
    return this.#initialize !== undefined && !this.#isInitialized;
  }

  /** @param {string | undefined} id */
  #failLost(id) {
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
function isRequest({ id, isResponse }) {
  return id !== undefined && !isResponse;
}

/**
 * The gateway skips it.
 * @param {Buffer} line with its line end
 */
function isEmpty(line) {
  return /^\r?\n$/u.test(line.toString('latin1', 0, 3));
}

/** @param {Buffer} line @param {Envelope} envelope @param {string} controlLine */
function isControlLine(line, { id, method }, controlLine) {
  return (
    id === undefined && method === undefined && line.length === controlLine.length && line.toString() === controlLine
  );
}

/**
 * Whether a cancellation is for the request with this id.
 * @param {string} cancellation
 * @param {string} [id]
 */
function cancels(cancellation, id = '') {
  const [, after = ''] = cancellation.split(/"requestId"\s*:\s*/u);
  return after.startsWith(id) && /^\s*[,}]/u.test(after.slice(id.length));
}
