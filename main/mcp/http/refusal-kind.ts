import { isPage } from '../messages/message-body.ts';
import { ofRevision } from './older-revisions.ts';

/** Recognizes a refusal that carries no JSON-RPC error by its body. */
export function refusalKind(status: number, body: Buffer): 'web-page' | 'revision-refused' | undefined {
  if (isPage(body)) return 'web-page';
  return status === 400 && ofRevision.test(body.toString('utf8')) ? 'revision-refused' : undefined;
}
