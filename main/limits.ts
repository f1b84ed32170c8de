/** Every limit that a server, a page or a user can run into. Times are in milliseconds unless stated otherwise. */

const kibibyte = 1024;

/** Bytes, counted after decoding. */
export const bodyLimit = {
  metadata: 256 * kibibyte,
  token: 64 * kibibyte,
  registration: 64 * kibibyte,
  probe: 256 * kibibyte,
  /** One MCP response or one SSE event; tools return images. */
  mcpMessage: 6 * 1024 * kibibyte,
  /** One whole SSE stream: events that arrive faster than we discard them take memory too. */
  mcpStream: 32 * 1024 * kibibyte,
} as const;
/** How long a command waits for the profile lock before it cleans up after a killed process. */
export const sweepLockTimeout = 2_000;
/** Each covers the whole exchange, from the first byte sent to the last byte read. */
export const deadline = {
  connect: 5_000,
  /** One whole discovery. */
  discovery: 10_000,
  /** Reading the body after the headers of a probe's response. */
  probeBody: 1_000,
  registration: 10_000,
  token: 30_000,
  /** Each best-effort request at sign-out and removal. */
  revocation: 10_000,
  /** All of them together when everything is deleted. */
  allRevocations: 20_000,
  /** Until the headers of an MCP response, or its end if it is not an event stream. */
  mcpHeaders: 60_000,
  /** Until the first event of the HTTP+SSE transport (2024-11-05). */
  sseEndpoint: 10_000,
} as const;

/** `text`: characters of a name, or of a value that is stored or forwarded. A longer one is treated as absent. */
export const jsonLimit = { depth: 32, keys: 2_000, text: 8 * kibibyte } as const;

/** Characters. An authorization URL that we build may be longer than a URL that a server sends. */
export const urlLength = { received: 2_048, authorizationRequest: 8 * kibibyte } as const;
export const headerBytes = 16 * kibibyte;
/** Header fields in one response; also the interim (1xx) responses before it. */
export const headerCount = 200;
export const redirectHops = 3;
/** Requests from a server on one connection: handled at a time, and queued. Any beyond that get no response. */
export const serverRequests = { concurrent: 4, queued: 100 } as const;
/** Nesting of tool arguments; the libraries recurse over them. */
export const toolInputDepth = 500;
/** Discovery and registration: requests in parallel, burst to one host, then one request per `interval`. */
export const discoveryRate = { concurrent: 4, burst: 60, interval: 1_000 } as const;
/** Bytes of an extra CA certificate file. */
export const certificateFileBytes = 1_024 * kibibyte;
export const maxAuthorizationServers = 10;
export const clientIdLength = 4 * kibibyte;
export const accessTokenLength = 32 * kibibyte;
export const displayNameLength = 80;
/** Characters of a server's error message, where it is shown. */
export const serverMessageLength = 500;
/** Characters of the account name in a token response. */
export const accountLength = 256;
/** Characters of a `code` or `state` in a callback. */
export const callbackParameterLength = 4 * kibibyte;

/** Lifetime of a state token or an auth ticket (spec 2.7, 2.10). */
export const stateLifetime = 600_000;
/** Device sign-in (RFC 8628): lifetime, and characters of the code. */
export const deviceCode = { longest: 1_800_000, length: 40 } as const;
export const devicePoll = { shortest: 1_000, standard: 5_000, longest: 60_000, slowDown: 5_000 } as const;
/** How often a sign-in checks whether another process has started a newer one for the same integration. */
export const leaseCheckInterval = 200;
/** How long an older sign-in has to release the callback port, and the pause between attempts to bind it. */
export const portHandover = { timeout: 3_000, pause: 50 } as const;
/** Callback requests with a wrong `state` that one flow accepts before it responds 429. */
export const wrongStateRequests = 100;
/** Authorizations per operation, including the first sign-in (MCP step-up). */
export const authorizationsPerOperation = 3;
/** Seconds (a century). Longer lifetimes are capped to this. */
export const longestLifetime = 3_155_760_000;
/** Seconds to wait after a 429 or 503. `fallback` (with jitter) applies if the server sends no usable time. */
export const retryAfter = { shortest: 1, longest: 3_600, fallback: 30 } as const;

/** Long, because an unlock prompt waits for the user. */
export const keychainTimeout = 60_000;
/** Characters. Windows allows 2,560 bytes per entry. */
export const keychainValueLength = 2_048;
/** How long to wait for a lock that another process holds; a token request under it may take 30 s. */
export const lockTimeout = 120_000;
/** How long waiters for a lock keep their order. After that a stuck waiter is skipped. */
export const turnstileTimeout = 1_000;
/**
 * Importing a server list: servers probed and host names resolved in parallel, and how often the results so far are
 * written, for at most this share of the time. A lookup that takes `slowLookup` was retried by the resolver; from then
 * on one starts per `lookupInterval`.
 */
export const importLimits = {
  concurrent: 8,
  lookups: 16,
  writeInterval: 10_000,
  writeShare: 0.1,
  slowLookup: 4_000,
  lookupInterval: 50,
} as const;
/** Changes to the settings file that are batched into one write. */
export const changesPerWrite = 1_000;
/** Bytes. A larger file was not written by Postern. */
export const fileBytes = { settings: 8 * 1024 * kibibyte, vault: 64 * 1024 * kibibyte, window: 64 * kibibyte } as const;

/** Secrets that a trace remembers, to redact them wherever a server echoes them. */
export const traceSecrets = 2_000;

/** Bytes at which the log is rotated; one older file is retained. */
export const logFileBytes = 1_024 * kibibyte;
/** Characters of one value in the log. */
export const logTextLength = 200;
/** How long after a refresh with an unknown outcome the background refreshes only if the server responds to a GET. */
export const unknownOutcomeWindow = 3_600_000;
/**
 * Delay between attempts of a failing refresh. `afterRequest`: the first delay if the server may have seen the request.
 * `afterRefusal`: the longest delay if the server refused the refresh or the renewed token.
 */
export const refreshBackOff = {
  first: 1_000,
  longest: 300_000,
  afterRequest: 30_000,
  afterRefusal: 3_600_000,
} as const;
/** How long a request waits for a refresh while its access token is still valid. Then it uses that token. */
export const refreshWait = 2_000;
/** Background refreshes in parallel: many integrations come due together after sleep. */
export const concurrentRefreshes = 4;
/** Attempts to store refreshed tokens, and the pause between them: losing those tokens loses the sign-in. */
export const saveAttempts = { count: 3, pause: 500 } as const;
/** How often the scheduler re-checks token expiry: other processes and clock changes may have changed it. */
export const refreshCheckInterval = 900_000;
/** Token revocations sent in parallel when everything is deleted. */
export const concurrentRevocations = 4;
/** Refreshes that are all due now (after sleep, back online) are spread over this time. */
export const refreshSpread = 2_000;
/** Nesting of one MCP message; arguments that `toolInputDepth` allowed may be echoed. */
export const mcpDepth = 512;
/** One MCP listing across all its pages: entries and characters, and the nesting of one entry. */
export const mcpListing = { entries: 5_000, size: 6 * 1_024 * kibibyte, depth: 64 } as const;
/** Unusable parts reported per listing or result. */
export const maxUnusableParts = 100;
/** One MCP message: JSON values (each costs many times its text), and bytes of a server request or progress. */
export const mcpMessage = { nodes: 100_000, requestBytes: 16 * kibibyte, progressBytes: 4 * kibibyte } as const;
/** Bytes of an error body that are read, and of leftover data that is drained before a connection is closed. */
export const errorBodyBytes = 64 * kibibyte;
export const drainBytes = 64 * kibibyte;
/** How long closing a connection waits for a cancellation to reach the server. */
export const cancellationTimeout = 2_000;
/** Resuming one request's SSE stream: attempts that bring nothing new, failures in a row, and the pause before each. */
export const resumption = {
  attempts: 60,
  failures: 3,
  pause: { shortest: 50, standard: 1_000, longest: 30_000 },
} as const;

/** Characters of one IPC call from a window, as JSON. */
export const ipcInputLength = 2 * 1_024 * kibibyte;
/** Characters of standard input that are buffered. */
export const stdinLength = 2 * 1_024 * kibibyte;
/** Between two checks for updates, and between two notifications about one integration. */
export const updateInterval = 86_400_000;
export const noticeInterval = 600_000;
/** Scopes named in an error: how many, and characters of each. */
export const errorScopes = { count: 20, length: 80 } as const;
/** A message that the gateway forwards: bytes, JSON values, bytes of one stream, time until its response is due. */
export const gatewayMessage = {
  size: 16 * 1_024 * kibibyte,
  nodes: 1_000_000,
  stream: Number.MAX_SAFE_INTEGER,
  /** Estimated bytes of the values of one message that are parsed and stay in memory. */
  parsedBytes: 32 * kibibyte,
  /** A tool may run for an hour; AI apps have timeouts of their own. */
  deadline: 6 * 3_600_000,
  versionLength: 64,
} as const;
/**
 * Bytes of messages in memory. `app` and `requests`: waiting for servers, from one app and from all apps; `all`: those
 * plus messages being read in either direction; `reservedForShort`: the part of `app` for messages up to `short` bytes;
 * `overhead`: cost of each message beyond its text.
 */
export const messageBudget = {
  app: 32 * 1_024 * kibibyte,
  requests: 96 * 1_024 * kibibyte,
  all: 128 * 1_024 * kibibyte,
  reservedForShort: 1_024 * kibibyte,
  short: 64 * kibibyte,
  overhead: 8 * kibibyte,
} as const;
/** Sessions of AI apps. */
export const gatewaySession = {
  sessions: 200,
  sessionsOfApp: 50,
  /** Requests of one session in flight, and queued behind them. */
  concurrentRequests: 64,
  queuedRequests: 1_000,
  /** Notifications and responses in flight to a server, which should accept each immediately. */
  concurrentDeliveries: 16,
  /** How long a server has to accept a notification or a response. */
  deliveryTimeout: 60_000,
  /** Unanswered requests of the server; and messages buffered until the app listens over HTTP, and their bytes. */
  serverRequests: 100,
  undelivered: { count: 100, size: 1_024 * kibibyte },
  /** When an SSE stream is opened for a response still to come; when and how long a broken one can be resumed. */
  openStreamAfter: 10_000,
  brokenStream: { retry: 500, longest: 60_000 },
  /** When a cached response is sent instead; when a call fails as SERVER_OFFLINE if the server was just offline. */
  responseWait: 800,
  offlineCallWait: 1_500,
  /** How long a call waits, once, for the list of tools that decides whether the user is asked. */
  toolsWait: 5_000,
  /** How long a request waits, once, for the resource lists of all members before it is routed to one of them. */
  addressWait: 10_000,
  retryInterval: 15_000,
  /** The hello line of a pipe: bytes, time until it is complete, and loopback connections that may still owe it. */
  helloSize: 4 * kibibyte,
  helloTimeout: 2_000,
  pendingHellos: 64,
  /** An incomplete message of up to this many bytes does not count toward the budget. */
  uncountedBytes: 128 * kibibyte,
  /** Sessions without permission to use anything: lifetime of one, and how many may be open. */
  refusedLifetime: 60_000,
  refusedSessions: 200,
  /** Bytes of messages that the other side has not accepted yet, in each direction, and of unanswered requests. */
  buffer: 32 * 1_024 * kibibyte,
  /**
   * How long closing waits for requests in flight. When handing over: since the last response, and in total. At exit:
   * the part of its 5 s that a service or the window spends on it.
   */
  drain: { handOver: 5_000, total: 50_000, service: 2_500, window: 3_500 },
  /** When, within those 5 s, local servers that are being stopped get less time. */
  hurryAfter: 3_500,
  /** Taking over from another process: time per holder and in total, poll interval, and how often one is asked. */
  handOver: { wait: 10_000, total: 60_000, pollInterval: 100, maxRequests: 20 },
} as const;
/** Bytes of the first line of a command that another process runs: more than a system accepts as arguments. */
export const commandSocket = { request: 4 * 1_024 * kibibyte } as const;
/** Resource URIs attributed to one collection member: characters in all, templates, and parts per template. */
export const collectionClaims = { size: 512 * kibibyte, templates: 100, parts: 20 } as const;
/** Resource subscriptions of one session of a collection. */
export const collectionSubscriptions = 1_000;
/** Characters of one text that is attributed to a collection member. */
export const memberTextLength = 16 * 1_024;
/** One request of a session app to a stateless server: `inputRequests` rounds, requests per round, pause between. */
export const bridgeRounds = { rounds: 8, inputRequests: 8, pause: 250 } as const;
/** Cookies that a server may set within a session; bytes of name and value together. */
export const sessionCookies = { count: 20, size: 4 * kibibyte } as const;
/** How long a server has to end a session. */
export const sessionEndTimeout = 2_000;
/** Cached listings for AI apps that start while a server is offline: characters per server, and bytes of the file. */
export const catalogLength = 8 * 1_024 * kibibyte;
export const catalogFileBytes = 24 * 1_024 * kibibyte;
/** Responses in one such cache, and characters of a cache key. */
export const catalogEntries = 1_000;
export const catalogKeyLength = 1_024;
/** The HTTP endpoint: wrong secrets per minute, connections without a valid one and per app; SSE keep-alive. */
export const gatewayHttp = {
  wrongSecrets: 20,
  unauthenticated: 256,
  perApp: 256,
  commentInterval: 25_000,
  headTimeout: 10_000,
} as const;
/** A request body that stalls for this long is dropped. */
export const bodyIdleTimeout = 30_000;
/** An app's configuration file: bytes; and YAML indicators, each of which costs its parser about a kilobyte. */
export const appFileBytes = 4 * 1_024 * kibibyte;
export const appYamlIndicators = 450_000;
/** Changes of one app that can be undone, and the time that the app's own command may take. */
export const appBackups = 20;
export const appCommandTimeout = 20_000;
/** Apps that ask for access and calls that need confirmation: open at a time, time to answer, remembered unanswered. */
export const accessRequests = {
  count: 20,
  deadline: 45_000,
  remembered: 1_000,
  nameLength: 60,
  bufferedBytes: 64 * kibibyte,
} as const;
export const callConfirmations = { count: 20, deadline: 45_000, progressInterval: 10_000, noticePause: 1_000 } as const;
export const askAgainAfter = 600_000;

/** A tool call: time without progress if no user is watching, and in total. */
export const toolCall = { silence: 60_000, longest: 6 * 3_600_000 } as const;

/**
 * An MCP task: time for one response about it, for its result, and for its cancellation. `poll` applies if the server
 * names no interval; the interval that it names is clamped to `shortestPoll` and `longestPoll`.
 */
export const toolTask = {
  response: 60_000,
  longest: toolCall.longest,
  cancel: 3_000,
  poll: 1_000,
  shortestPoll: 250,
  longestPoll: 15_000,
} as const;

/** Time for the end of a session to be sent; its response is not awaited. */
export const sessionEndGrace = 100;

/** Bytes of a response and of a stream for callers that pass long texts on as they arrive. */
export const passThrough = { message: 25_165_824, stream: 33_554_432 } as const;

/** Bytes of a file whose text is a tool argument. */
export const argumentFileBytes = 2_097_152;

/** Argument completion: how long a shell waits, and characters of a value that is shown. */
export const completion = { timeout: 4_000, length: 256 } as const;

/** Log messages that a server sends during one call, and characters of each. */
export const logLines = { count: 100, length: 400 } as const;

/**
 * Following a resource: pause between two reads, however often the server reports updates; bounds of the reconnect
 * delay, which doubles; time to unsubscribe; how long a connection must last to count as stable. `failures`: failed
 * connections in a row.
 */
export const followLimits = {
  readInterval: 1_000,
  shortest: 1_000,
  longest: 30_000,
  unsubscribe: 2_000,
  stableAfter: 10_000,
  failures: 10,
} as const;

/**
 * MCP elicitation: requests in one call, fields of a form, choices of a field, characters of a name and of the message;
 * time to answer one, and for the stream that carries them to open before the call.
 */
export const elicitation = {
  count: 20,
  fields: 40,
  choices: 300,
  name: 128,
  message: 2_000,
  deadline: 600_000,
  streamOpening: 2_000,
} as const;
