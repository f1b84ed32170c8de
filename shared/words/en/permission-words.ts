import type { ApprovalAnswer, HeldCallAnswer, ToolChange } from '../../approval-view.ts';
import type { QuestionField, TextFormat } from '../../question-field.ts';
import type { QuestionRefusal } from '../../question-view.ts';
import type { ChangedToolRule, Capability, ToolPreset, ToolRule } from '../../tool-permissions.ts';

/**
 * What scopes allow: OpenID Connect (Core 1.0 sections 5.4 and 11), Google accounts
 * (developers.google.com/identity/protocols/oauth2/scopes), and services as documented on the page named above each. An
 * undocumented scope is shown by its name, never guessed.
 */
export const permissionWords = {
  openId: {
    openid: 'See who you are',
    profile: 'See your name and picture',
    email: 'See your email address',
    offline_access: 'Stay signed in until you sign out',
  },
  googleAccount: {
    'https://www.googleapis.com/auth/gmail.readonly': 'Read your mail',
    'https://www.googleapis.com/auth/gmail.compose': 'Write drafts and send mail as you',
    'https://www.googleapis.com/auth/calendar.readonly': 'See your calendars',
    'https://www.googleapis.com/auth/drive.readonly': 'See all files in your Drive',
    // googleapis.dev, DriveService.Scope.DriveFile
    'https://www.googleapis.com/auth/drive.file': 'See, change and delete the files in your Drive that you use with it',
  },
  services: {
    // docs.github.com/apps/oauth-apps/building-oauth-apps/scopes-for-oauth-apps
    GitHub: {
      repo: 'Read and change your repositories, including private ones, and manage projects, teams and webhooks of your organizations',
      public_repo: 'Read and change your public repositories',
      delete_repo: 'Delete your repositories',
      'read:org': 'See your organizations, their projects and teams',
      user: 'Read and change your profile',
      'read:user': 'See your profile',
      'user:email': 'See your email addresses',
      gist: 'Create and change gists',
      notifications: 'Read your notifications, mark them as read, and watch repositories',
      workflow: 'Change GitHub Actions workflows',
      project: 'Read and change projects',
      'read:project': 'See projects',
      'read:packages': 'Download packages',
      'write:packages': 'Publish packages',
      security_events: 'See and change code scanning alerts',
    },
    // developer.atlassian.com/cloud/jira/platform/scopes-for-oauth-2-3LO-and-forge-apps
    Atlassian: {
      'read:me': 'See your profile',
      'read:jira-work': 'Read Jira projects and work items',
      'write:jira-work': 'Create, change and delete Jira work items, and comment as you',
      'read:jira-user': 'See Jira users and their email addresses',
    },
    // docs.sentry.io/api/permissions
    Sentry: {
      'org:read': 'See your organizations',
      'project:read': 'See projects',
      'project:write': 'Change projects',
      'team:read': 'See teams',
      'team:write': 'Change teams',
      'event:read': 'Read issues and events',
      'event:write': 'Change issues',
    },
    // linear.app/developers/oauth-2-0-authentication
    Linear: {
      read: 'Read what your account can see',
      write: 'Change what your account can change',
      'issues:create': 'Create issues',
      'comments:create': 'Write comments',
      admin: 'Manage your workspace',
    },
    // docs.slack.dev/reference/scopes/search.read.public, …/channels.history, …/chat.write, …/canvases:write, and
    // api.slack.com/scopes/users:read.email
    Slack: {
      'search:read.public': 'Search in public channels',
      'channels:history': 'Read messages in public channels',
      'users:read.email': 'See the email addresses of people in your workspace',
      'chat:write': 'Send messages',
      'canvases:write': 'Create, change and delete canvases',
    },
    // developer.box.com/guides/api-calls/permissions-and-errors/scopes
    Box: {
      root_readwrite: 'Read and change all your files and folders',
      'ai.readwrite': 'Use Box AI',
    },
    // help.salesforce.com, OAuth Tokens and Scopes
    Salesforce: {
      refresh_token: 'Stay signed in until you sign out',
    },
  },
};

export const permitWords = {
  asks: (app: string | undefined, server: string) => `${app ?? 'An unknown app'} wants to call a tool of ${server}.`,
  tool: 'Tool',
  readOnlyHint: 'The server says that this tool is read-only.',
  noReadOnlyHint: 'The server does not say that this tool is read-only.',
  input: 'Input',
  noInput: 'This call has no input.',
  cut: 'The input is cut off here.',
  remaining: (time: string) => `Postern denies it in ${time} if you don’t answer.`,
  waiting: (count: number) => (count === 1 ? 'One more call is waiting.' : `${count} more calls are waiting.`),
  answers: {
    no: 'Deny',
    once: 'Allow once',
    session: 'Allow for this session',
    always: 'Always allow',
  } satisfies Record<HeldCallAnswer, string>,
  nothing: 'No calls are waiting.',
  intro: 'Choose which tools AI apps can call. AI apps can’t see denied tools.',
  forApps: 'For',
  allApps: 'all apps',
  oneApp: (app: string) =>
    `Here you can set stricter rules for ${app} than for other apps, or let it call tools without asking. Tools denied for all apps stay denied.`,
  presets: 'Default for all tools',
  preset: {
    everything: 'Allow',
    'ask-changes': 'Ask before changes',
    'read-only': 'Allow read-only tools',
    'only-allowed': 'Deny',
  } satisfies Record<ToolPreset, string>,
  presetHint: {
    everything: 'Postern does not ask. Many AI apps ask themselves.',
    'ask-changes': 'Postern asks you before each call, unless the server says that the tool is read-only.',
    'read-only': 'Other tools are denied, even ones you allowed earlier, until you allow them again.',
    'only-allowed': 'Only tools that you allow one by one can be called. New tools are denied.',
  } satisfies Record<ToolPreset, string>,
  hint: 'The server itself says whether a tool is read-only. Postern can’t verify it, and a dishonest server can lie.',
  promptInjection:
    'AI models read tool descriptions and results, and a hostile server can use them to mislead the model. Deny tools you don’t need. Set risky ones to Ask.',
  hints: {
    hidden: 'The server’s description of this tool contains invisible characters:',
    instructions: 'The server’s description of this tool reads like an instruction to the AI model:',
  },
  changes: 'Changed since your last review',
  changesIntro: 'Struck-through text is what the server said at your last review. Underlined text is new.',
  changedNotice: 'Some tools of this server are new or have changed since your last review.',
  changedMark: 'Changes to review',
  review: 'Review changes',
  changeKind: { new: 'New', changed: 'Changed', gone: 'Removed' } satisfies Record<ToolChange['kind'] | 'gone', string>,
  changeCut: 'There are more changes than shown here.',
  moreChanged: (count: number) => (count === 1 ? 'One more has changed.' : `${count} more have changed.`),
  accept: 'Mark as reviewed',
  acceptOf: (tool: string) => `Mark as reviewed: ${tool}`,
  acceptAll: (count: number) => `Mark all ${count} as reviewed`,
  whenChanged: 'When tools change',
  changedRule: { show: 'Notify me', hold: 'Block changed tools until I review them' } satisfies Record<
    ChangedToolRule,
    string
  >,
  asForAll: (rule: string) => `Same as in Settings: ${rule}`,
  changedRuleHint: {
    show: 'AI apps can keep using them. Most changes are harmless: new wording, a new field.',
    hold: 'New and changed tools are hidden from AI apps and can’t be called, not even from Postern.',
  } satisfies Record<ChangedToolRule, string>,
  capabilities: 'Resources and prompts',
  offer: {
    resources: 'AI apps can list and read its resources',
    prompts: 'AI apps can list and use its prompts',
  } satisfies Record<Capability, string>,
  offForAll: 'Turned off for all apps.',
  summary: {
    preset: {
      everything: 'Can call every tool',
      'ask-changes': 'Asks before changes',
      'read-only': 'Read-only tools',
      'only-allowed': 'Only tools you allowed',
    } satisfies Record<ToolPreset, string>,
    denied: (count: number) => `${count} denied`,
    asking: (count: number) => (count === 1 ? '1 asks' : `${count} ask`),
    without: { resources: 'no resources', prompts: 'no prompts' } satisfies Record<Capability, string>,
    holds: 'changed tools are blocked',
  },
  summaryOf: (server: string, summary: string) => `Permissions for ${server}: ${summary}`,
  list: 'Tools',
  rules: { allow: 'Allow', ask: 'Ask', deny: 'Deny' } satisfies Record<ToolRule, string>,
  byPreset: (rule: string) => `Default (${rule})`,
  ruleOf: (tool: string) => `Rule for ${tool}`,
  holds: { allow: 'allowed', ask: 'asks', deny: 'denied' } satisfies Record<ToolRule, string>,
  decidedByAll: (rule: string) => `${rule} for all apps`,
  gone: 'The server no longer lists this tool',
  signInFirst: 'Sign in to see the tools of this server. These settings apply either way.',
};

export const approvalWords = {
  known: (app: string, server: string) => `${app} wants to use ${server}.`,
  unknownApp: (name: string, server: string) =>
    name === ''
      ? `An unidentified app wants to use ${server}.`
      : `An app that calls itself “${name}” wants to use ${server}.`,
  startedBy: (parent: string) => `It says that “${parent}” started it.`,
  meaning: (server: string) => `You have not allowed this before. It would use ${server} with your sign-in.`,
  onlyOnce: 'Postern does not know this app, so you can only allow it once.',
  remaining: (time: string) => `Postern denies it in ${time} if you don’t answer.`,
  unanswered: 'Not answered yet',
  askedAgo: (distance: string) => `asked ${distance}`,
  whenAskedAgain: 'Your answer applies the next time it asks.',
  waiting: (count: number) => (count === 1 ? 'One more request is waiting.' : `${count} more requests are waiting.`),
  answers: { no: 'Deny', once: 'Allow once', always: 'Always allow' } satisfies Record<ApprovalAnswer, string>,
};

/** Questions of servers during a call (MCP elicitation). */
export const questionWords = {
  during: (server: string, host: string, tool: string) =>
    `“${server}” (${host}) has a question while running “${tool}”`,
  onItsOwn: (server: string, host: string) => `“${server}” (${host}) has a question`,
  decline: 'Decline',
  send: 'Send',
  open: 'Open in browser',
  done: 'I’m done',
  secret:
    'This looks like a secret. Don’t enter passwords, keys or codes here. A server should ask for them on a web page.',
  page: (place: string) => `It wants to open a page at ${place}:`,
  confusable: 'This host name can be mistaken for another. Check it carefully.',
  opened: 'The page is open in your browser. Come back when you are done.',
  failed: 'Postern could not open a browser. Open the address yourself, then come back.',
  remaining: (time: string) => `Postern cancels this in ${time} if you don’t answer.`,
  refused: {
    address: 'The server asked to open an address that Postern does not open. Postern declined.',
    form: 'The server asked for something that Postern can’t show. Postern declined.',
    'too-many': 'The server asks too often. Postern no longer passes on its questions.',
    'too-late': 'The server’s question timed out without an answer.',
  } satisfies Record<QuestionRefusal, string>,
  formats: {
    email: 'An email address.',
    uri: 'A web address, such as https://example.com.',
    date: 'A date, such as 2027-05-31.',
    'date-time': 'A time, such as 2027-05-31T09:30:00Z.',
  } satisfies Record<TextFormat, string>,
  whole: 'A whole number.',
  pattern: (pattern: string) => `Must match this pattern: ${pattern}`,
  range: (kind: QuestionField['kind'], least?: number, most?: number) => {
    const unit = kind === 'text' ? ' characters' : '';
    if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}.`;
    return least === undefined ? `At most ${most}${unit}.` : `At least ${least}${unit}.`;
  },
};
