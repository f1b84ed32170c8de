import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { leftoverBytes } from '../../limits.ts';
import type { McpEndpoint } from './mcp-endpoint.ts';
import { mediaType } from '../messages/message-headers.ts';
import { readAtMost } from '../messages/read-document.ts';
import { readEvents } from '../messages/read-events.ts';

/** The stream that a server with sessions sends its own messages on (MCP 2025-11-25, listening for messages). */
export class OwnStream {
  /** Resolves once the server has answered whether it has one. Errors: those of `fetch`, SdkError. */
  opened: Promise<boolean> = Promise.resolve(false);
  /** Resolves when nothing more comes on it. */
  ended: Promise<void> = Promise.resolve();
  isOpen = false;
  readonly #endpoint: McpEndpoint;
  readonly #take: (data: Buffer) => void;
  #hasEnded = false;

  constructor(endpoint: McpEndpoint, take: (data: Buffer) => void) {
    this.#endpoint = endpoint;
    this.#take = take;
  }

  open(): void {
    this.#hasEnded = false;
    const opening = openStream(this.#endpoint);
    this.opened = opening.then(Boolean);
    this.opened.catch(() => {});
    this.ended = opening
      .then(async (body) => await (body ? this.#read(body) : undefined))
      .catch(() => void (this.#hasEnded = true));
  }

  /** For somebody who waits for what comes on it: many hosts let no stream last, and what came meanwhile is lost. */
  openAgain(): void {
    if (this.#hasEnded) this.open();
  }

  async #read(body: NonNullable<Response['body']>): Promise<void> {
    this.isOpen = true;
    try {
      for await (const data of readEvents(body.getReader(), {})) this.#take(data);
    } finally {
      this.isOpen = false;
      this.#hasEnded = true;
    }
  }
}

/** `null`: many servers have none (405). */
async function openStream(endpoint: McpEndpoint): Promise<Response['body']> {
  const response = await endpoint.request('GET');
  if (response.ok && mediaType(response) === 'text/event-stream') return response.body;
  await readAtMost(response, leftoverBytes);
  if (response.status >= 500)
    throw new SdkError(SdkErrorCode.ClientHttpFailedToOpenStream, 'No stream for messages of the server');
  return null;
}
