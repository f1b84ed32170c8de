import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Latency, Protocol } from './cells.ts';
import type { RecordedRequest, ServerMessage } from './recorded-request.ts';

/** The benchmark server, as seen by the benchmark. */
export interface BenchServer {
  url(latency: Latency, protocol: Protocol): string;
  /** Requests served since the last call. */
  takeRequests(): Promise<readonly RecordedRequest[]>;
  close(): void;
}

export async function startBenchServer(): Promise<BenchServer> {
  const child = fork(path.join(import.meta.dirname, 'server.ts'), ['50'], { execArgv: [] });
  const next = async (): Promise<ServerMessage> => ((await once(child, 'message')) as [ServerMessage])[0];
  const started = await next();
  if (!('ports' in started)) throw new Error('The server of the measurements did not start.');
  const { direct, slow } = started.ports;
  return {
    url: (latency, protocol) => `http://127.0.0.1:${latency === 0 ? direct : slow}/${protocol}`,
    async takeRequests() {
      const response = next();
      child.send('requests');
      const message = await response;
      return 'requests' in message ? message.requests : [];
    },
    close: () => child.disconnect(),
  };
}
