import { findKnownServer } from './find-known-server.ts';

/** A tool that says whose access it is called with. */
export interface WhoTool {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, string>>;
  /** Asked of this service alone: of another one, the same name may mean anything. */
  readonly of?: string;
}

/** Each by its service's own word. Only one that the server lists is called, and only when the person asks. */
const whoTools: readonly WhoTool[] = [
  // github/github-mcp-server, pkg/github/__toolsnaps__/get_me.snap: `login`, `details.name`, `details.email`.
  { name: 'get_me', of: 'GitHub' },
  // mcp.notion.com lists it with `user_id`: "Pass "self" to fetch the current user"; answers `results` of one.
  { name: 'notion-get-users', arguments: { user_id: 'self' }, of: 'Notion' },
  // support.atlassian.com, supported tools of the Rovo MCP server: "Get current user info from Atlassian".
  { name: 'atlassianUserInfo', of: 'Atlassian' },
  // huggingface/hf-mcp-server, hf-whoami-wiring.test.ts: `account.name`.
  { name: 'hf_whoami', of: 'Hugging Face' },
  // getsentry/sentry-mcp, catalog/whoami.ts, says that it only reads: `user.name`, `user.email`.
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
