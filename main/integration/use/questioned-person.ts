import type { Integration } from '../../../shared/integration.ts';
import { browserAddress } from '../../address/browser-address.ts';
import { checkAddress } from '../../address/check-address.ts';
import type { CallPatience } from '../../mcp/client/call-patience.ts';
import type { QuestionedPerson } from '../../mcp/client/server-questions.ts';
import { integrationPolicy } from '../kept/integration-policy.ts';

/** Somebody who waits for a call, for whose answers there is time, and whom a server sends to no page of its choice. */
export function questionedPerson(
  person: Omit<QuestionedPerson, 'checkPage'>,
  { url, options }: Pick<Integration, 'url' | 'options'>,
  patience: CallPatience,
): QuestionedPerson {
  const policy = integrationPolicy(url, options);
  return {
    ask: (question, signal) => patience.without(() => person.ask(question, signal)),
    refused: (why) => person.refused(why),
    checkPage(text) {
      const address = browserAddress(text);
      checkAddress(new URL(address), policy, 'connection');
      return address;
    },
  };
}
