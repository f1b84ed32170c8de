import type { ServerResponse } from 'node:http';

/** HTTP status of an error, which a line does not have (MCP 2026-07-28, streamable HTTP, and JSON-RPC's own codes). */
const statusOf: Readonly<Record<number, number>> = {
  [-32_700]: 400,
  [-32_600]: 400,
  [-32_601]: 404,
  [-32_602]: 400,
  [-32_020]: 400,
  [-32_021]: 400,
  [-32_022]: 400,
};

/** The response to one POST: a stream, or a document if the response comes first and a document is accepted. */
export class Reply {
  readonly #response: ServerResponse;
  readonly #mayBeDocument: boolean;

  constructor(response: ServerResponse, mayBeDocument: boolean) {
    this.#response = response;
    this.#mayBeDocument = mayBeDocument;
  }

  /** A message before the response. */
  send(line: string): void {
    if (!this.#response.headersSent) this.#response.writeHead(200, { 'content-type': 'text/event-stream' });
    this.#response.write(`event: message\ndata: ${line}\n\n`);
  }

  answer(line: string, errorCode: unknown): void {
    if (this.#response.headersSent || !this.#mayBeDocument) {
      this.send(line);
      this.#response.end();
      return;
    }
    const status = typeof errorCode === 'number' ? (statusOf[errorCode] ?? 200) : 200;
    this.#response.writeHead(status, { 'content-type': 'application/json' }).end(line);
  }

  refuse(status: number): void {
    if (!this.#response.headersSent) this.#response.writeHead(status);
    this.#response.end();
  }
}
