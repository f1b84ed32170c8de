import { findKnownServer } from './find-known-server.ts';

/** A tool that says whose access it is called with. */
export interface WhoTool {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, string>>;
  /** Asked of this service alone: of another one, the same name may mean anything. */
  readonly of?: string;
}

/** First guesses, since tools change: only one that the server lists is called, and only when the person asks. */
const whoTools: readonly WhoTool[] = [
  { name: 'get_me', of: 'GitHub' },
  { name: 'get_user', arguments: { query: 'me' }, of: 'Linear' },
  { name: 'notion-get-self', of: 'Notion' },
  { name: 'notion-get-users', arguments: { user_id: 'self' }, of: 'Notion' },
  { name: 'atlassianUserInfo', of: 'Atlassian' },
  { name: 'get_stripe_account_info', of: 'Stripe' },
  { name: 'hf_whoami', of: 'Hugging Face' },
  { name: 'whoami' },
  { name: 'who_am_i' },
  { name: 'get_me' },
  { name: 'get_current_user' },
];

/** Those that may be asked of the server at that address, the best first. */
export function whoToolsOf(url: string): readonly WhoTool[] {
  const service = findKnownServer(url)?.name;
  return whoTools.filter(({ of }) => of === undefined || of === service);
}
