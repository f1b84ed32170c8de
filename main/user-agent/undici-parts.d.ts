/**
 * undici's index loads all of fetch, caches, mocks and WebSocket (66 ms at each start of the command line); the agent
 * and its connector alone take 27 ms. Their own types are the ones of the index.
 */
declare module 'undici/lib/dispatcher/agent.js' {
  import { Agent } from 'undici';
  export default Agent;
}

declare module 'undici/lib/core/connect.js' {
  import { buildConnector } from 'undici';
  export default buildConnector;
}
