import type { ApprovalAnswer, HeldCallAnswer, ToolChange } from '../../approval-view.ts';
import type { QuestionField, TextFormat } from '../../question-field.ts';
import type { RefusedQuestion } from '../../question-view.ts';
import type { ChangedToolRule, Offer, ToolPreset, ToolRule } from '../../tool-permissions.ts';

/**
 * What scopes allow: those of OpenID Connect (Core 1.0 sections 5.4 and 11), those of an account of Google
 * (developers.google.com/identity/protocols/oauth2/scopes), and those of the services that gave them, each as the page
 * puts it that is named above them. A scope that no page explains is shown by its name: what it allows is not guessed.
 */
export const permissionWords = {
  openId: {
    openid: 'See who you are',
    profile: 'See your name and picture',
    email: 'See your e-mail address',
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
      repo: 'Read and change your repositories, the private ones too, and manage projects, teams and webhooks of your organizations',
      public_repo: 'Read and change your public repositories',
      delete_repo: 'Delete your repositories',
      'read:org': 'See your organizations, their projects and teams',
      user: 'Read and change your profile',
      'read:user': 'See your profile',
      'user:email': 'See your e-mail addresses',
      gist: 'Create and change gists',
      notifications: 'Read your notifications, mark them as read, and watch repositories',
      workflow: 'Change workflows of GitHub Actions',
      project: 'Read and change projects',
      'read:project': 'See projects',
      'read:packages': 'Download packages',
      'write:packages': 'Publish packages',
      security_events: 'See and change alerts of code scanning',
    },
    // developer.atlassian.com/cloud/jira/platform/scopes-for-oauth-2-3LO-and-forge-apps
    Atlassian: {
      'read:me': 'See your profile',
      'read:jira-work': 'Read Jira projects and work items',
      'write:jira-work': 'Create, change and delete Jira work items, and comment as you',
      'read:jira-user': 'See Jira users and their e-mail addresses',
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
      'users:read.email': 'See the e-mail addresses of people in your workspace',
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
  asks: (program: string | undefined, server: string) => `${program ?? 'A program'} wants to call a tool of ${server}.`,
  tool: 'Tool',
  saysReadOnly: 'The server says that it only reads.',
  saysNothing: 'The server does not say that it only reads.',
  input: 'Input',
  noInput: 'It takes no input here.',
  cut: 'There is more of it than is shown here.',
  remaining: (time: string) => `Without an answer it is refused in ${time}.`,
  waiting: (count: number) => (count === 1 ? 'One more call waits.' : `${count} more calls wait.`),
  answers: {
    no: 'No',
    once: 'Once',
    session: 'For this session',
    always: 'Always',
  } satisfies Record<HeldCallAnswer, string>,
  nothing: 'No call waits for an answer.',
  intro: 'Which of its tools programs may call. What is denied they do not even see.',
  whom: 'For',
  everybody: 'all programs',
  particular: (program: string) =>
    `Here ${program} can have stricter rules than the others, and single tools that need not ask. What is denied for all programs stays denied.`,
  presets: 'Tools without a choice of their own',
  preset: {
    everything: 'May be called',
    'ask-changes': 'Ask before changes',
    'read-only': 'Only those that read',
    'only-allowed': 'Denied',
  } satisfies Record<ToolPreset, string>,
  presetHint: {
    everything: 'Postern does not ask; many programs do it themselves.',
    'ask-changes': 'A small window asks each time, unless the server says that the tool only reads.',
    'read-only': 'The others are denied. What was allowed by itself is denied too, until you allow it again.',
    'only-allowed': 'Only tools that you allow by name may be called, and no new ones.',
  } satisfies Record<ToolPreset, string>,
  hint: 'Whether a tool only reads is what the server says. Nobody checks that: a dishonest server can say it of any tool.',
  misled:
    'A tool’s description and its results are read by the AI model as well, and a hostile server can use them to mislead it. Deny what you do not need, and let the rest ask where it can do harm.',
  hints: {
    hidden: 'What the server says of this tool holds characters that nobody sees:',
    instructions: 'What the server says of this tool reads like an instruction to the AI model:',
  },
  changes: 'Changed since you looked',
  changesIntro: 'What is crossed out the server said when you looked at it last; what is underlined it says now.',
  changedNotice: 'Tools of this server are new, or say something else of themselves than when you looked at them last.',
  changedMark: 'Changes to look at',
  review: 'See what has changed',
  changeKind: { new: 'New', changed: 'Changed', gone: 'Removed' } satisfies Record<ToolChange['kind'] | 'gone', string>,
  changeCut: 'More of it differs than is shown here.',
  moreChanged: (count: number) => (count === 1 ? 'One more has changed.' : `${count} more have changed.`),
  accept: 'I have looked at it',
  acceptOf: (tool: string) => `I have looked at it: ${tool}`,
  acceptAll: (count: number) => `I have looked at all ${count}`,
  whenChanged: 'When tools change',
  changedRule: { show: 'Show me', hold: 'Hold them until I have looked' } satisfies Record<ChangedToolRule, string>,
  asForAll: (rule: string) => `As in Settings: ${rule}`,
  changedRuleHint: {
    show: 'Programs go on with them meanwhile. Most changes are harmless: another wording, another field.',
    hold: 'No program sees or calls a tool that is new or says something else of itself, and Postern does not either.',
  } satisfies Record<ChangedToolRule, string>,
  offers: 'Resources and prompts',
  offer: {
    resources: 'Programs may list and read its resources',
    prompts: 'Programs may list and use its prompts',
  } satisfies Record<Offer, string>,
  offForAll: 'Switched off for all programs.',
  summary: {
    preset: {
      everything: 'May call every tool',
      'ask-changes': 'Asks before changes',
      'read-only': 'Only reads',
      'only-allowed': 'May call only what is allowed by name',
    } satisfies Record<ToolPreset, string>,
    denied: (count: number) => `${count} denied`,
    asking: (count: number) => (count === 1 ? '1 asks' : `${count} ask`),
    without: { resources: 'no resources', prompts: 'no prompts' } satisfies Record<Offer, string>,
    holds: 'changed tools are held',
  },
  summaryOf: (server: string, summary: string) => `Permissions for ${server}: ${summary}`,
  list: 'Tools',
  rules: { allow: 'Allow', ask: 'Ask', deny: 'Deny' } satisfies Record<ToolRule, string>,
  byPreset: (rule: string) => `As above (${rule})`,
  ruleOf: (tool: string) => `What becomes of ${tool}`,
  holds: { allow: 'allowed', ask: 'asks', deny: 'denied' } satisfies Record<ToolRule, string>,
  decidedByAll: (rule: string) => `${rule}, since that holds for all programs`,
  gone: 'Not among the tools of the server now',
  signInFirst: 'Sign in to see the tools of this server. What is set here holds all the same.',
};

export const approvalWords = {
  known: (program: string, server: string) => `${program} wants to use ${server}.`,
  stranger: (name: string, server: string) =>
    name === ''
      ? `A program that does not say what it is wants to use ${server}.`
      : `A program that says it is “${name}” wants to use ${server}.`,
  startedBy: (parent: string) => `It says that “${parent}” started it.`,
  meaning: (server: string) => `You have not allowed that yet. It would use ${server} with your sign-in.`,
  onlyOnce: 'Postern does not know this program, so that it can only be allowed for this time.',
  remaining: (time: string) => `Without an answer it is refused in ${time}.`,
  unanswered: 'Not answered yet',
  missed: (distance: string) => `asked ${distance}`,
  whenAskedAgain: 'Your answer counts when it asks again.',
  waiting: (count: number) => (count === 1 ? 'One more question waits.' : `${count} more questions wait.`),
  answers: { no: 'No', once: 'Allow once', always: 'Allow' } satisfies Record<ApprovalAnswer, string>,
};

/** What servers ask while they work for somebody. */
export const questionWords = {
  during: (server: string, host: string, tool: string) => `“${server}” (${host}) asks while “${tool}” runs`,
  byItself: (server: string, host: string) => `“${server}” (${host}) asks while it works for you`,
  decline: 'Decline',
  send: 'Send',
  open: 'Open in browser',
  done: 'I’m through with it',
  secret: 'This looks like a secret. Type no password, key or code here: the server should ask for that on a page.',
  page: (place: string) => `It wants to open a page at ${place}:`,
  confusable: 'The name of that host may look like another one. Look twice.',
  opened: 'The page is open in your browser. Come back once you are through with it.',
  failed: 'No browser could be opened. Open the address yourself, then come back.',
  remaining: (time: string) => `Without an answer the server is told in ${time} that nobody gave one.`,
  refused: {
    address: 'The server wanted to open an address that Postern does not open. It was told no.',
    form: 'The server asked for something that cannot be asked here. It was told no.',
    'too-many': 'The server asks too often. From here on it gets no answer.',
    'too-late': 'The server got no answer to its question, since nobody gave one in time.',
  } satisfies Record<RefusedQuestion, string>,
  formats: {
    email: 'An email address.',
    uri: 'An address, such as https://example.com.',
    date: 'A date, such as 2027-05-31.',
    'date-time': 'A time, such as 2027-05-31T09:30:00Z.',
  } satisfies Record<TextFormat, string>,
  whole: 'A whole number.',
  pattern: (pattern: string) => `In this form: ${pattern}`,
  range: (kind: QuestionField['kind'], least?: number, most?: number) => {
    const unit = kind === 'text' ? ' characters' : '';
    if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}.`;
    return least === undefined ? `At most ${most}${unit}.` : `At least ${least}${unit}.`;
  },
};
