/**
 * The name of the first event that stands whole in the text of an event stream (WHATWG HTML 9.2.6), `message` where it
 * has none; `undefined` while there is none.
 */
export function firstEventName(text: string): string | undefined {
  const blocks = text
    .replaceAll(/\r\n?/gu, '\n')
    .split('\n\n')
    .slice(0, -1)
    .map((block) => block.split('\n').filter((line) => line !== '' && !line.startsWith(':')));
  const first = blocks.find((lines) => lines.length > 0);
  if (first === undefined) return undefined;
  return (first.find((line) => line.startsWith('event:')) ?? 'event: message').slice('event:'.length).trim();
}

/** What the transport of MCP 2024-11-05 begins its stream with: the address that it wants messages at. */
export const endpointEvent = 'endpoint';
