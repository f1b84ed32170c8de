import type { ServerResponse } from 'node:http';

/** What HTTP says of an error where a line says nothing (MCP 2026-07-28, streamable HTTP, and JSON-RPC's own codes). */
const statusOf: Readonly<Record<number, number>> = {
  [-32_700]: 400,
  [-32_600]: 400,
  [-32_601]: 404,
  [-32_602]: 400,
  [-32_020]: 400,
  [-32_021]: 400,
  [-32_022]: 400,
};

/** The answer to one POST: a stream, or a document where the answer comes first and a document will do. */
export class Reply {
  readonly #response: ServerResponse;
  readonly #mayBeDocument: boolean;

  constructor(response: ServerResponse, mayBeDocument: boolean) {
    this.#response = response;
    this.#mayBeDocument = mayBeDocument;
  }

  /** Something that comes before the answer. */
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
