/**
 * undici's index loads all of fetch, caches, mocks and WebSocket (66 ms at each start of the command line); the agent
 * and its connector alone take 27 ms. Their own types are the ones of the index.
 */
declare module 'undici/lib/dispatcher/agent.js' {
  import { Agent } from 'undici';
  export default Agent;
}

declare module 'undici/lib/core/connect.js' {
  import type { Socket } from 'node:net';
  import type { buildConnector } from 'undici';
  /** Unlike in its own types it answers the socket, at once: a TLSSocket where the protocol is https. */
  export default function build(
    options?: buildConnector.BuildOptions,
  ): (options: buildConnector.Options, callback: buildConnector.Callback) => Socket;
}
