/**
 * An answer for oauth4webapi whose JSON has been read: within our bounds, and with what we tolerate put right. The
 * library asks it for `json()`, so the body is never parsed a second time.
 */
export function toReadResponse(document: object, status: 200 | 201): Response {
  return Object.defineProperty(new Response(null, { status }), 'json', { value: async () => document });
}
