/**
 * What scopes allow: those of OpenID Connect (Core 1.0 sections 5.4 and 11), those of an account of Google, and those
 * of the services that gave them, as their own pages put it.
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
    'https://www.googleapis.com/auth/drive.file': 'Use the files in your Drive that you open with it',
  },
  services: {
    GitHub: {
      repo: 'Read and change your repositories, the private ones too',
      public_repo: 'Read and change your public repositories',
      delete_repo: 'Delete your repositories',
      'read:org': 'See your organizations and teams',
      user: 'Read and change your profile',
      'read:user': 'See your profile',
      'user:email': 'See your e-mail addresses',
      gist: 'Create and change gists',
      notifications: 'Read your notifications',
      workflow: 'Change workflows of GitHub Actions',
      project: 'Read and change projects',
      'read:project': 'See projects',
      'read:packages': 'Download packages',
      'write:packages': 'Publish packages',
      security_events: 'See and change security alerts',
    },
    Atlassian: {
      'read:me': 'See your profile',
      'read:account': 'See your account',
      'read:jira-work': 'Read Jira projects and work items',
      'write:jira-work': 'Create, change and delete Jira work items',
      'read:jira-user': 'See Jira users',
    },
    Sentry: {
      'org:read': 'See your organizations',
      'project:read': 'See projects',
      'project:write': 'Change projects',
      'team:read': 'See teams',
      'team:write': 'Change teams',
      'event:read': 'Read errors and events',
      'event:write': 'Change errors and events',
    },
    GitLab: {
      mcp: 'Use GitLab as you',
    },
    Linear: {
      read: 'See your workspace',
      write: 'Change your workspace',
      'issues:create': 'Create issues',
      'comments:create': 'Write comments',
      admin: 'Manage your workspace',
    },
    Slack: {
      'search:read.public': 'Search in public channels',
      'search:read.files': 'Search in files',
      'channels:history': 'Read messages in public channels',
      'groups:history': 'Read messages in private channels',
      'im:history': 'Read direct messages',
      'users:read': 'See people in your workspace',
      'users:read.email': 'See their e-mail addresses',
      'chat:write': 'Send messages as you',
      'canvases:read': 'Read canvases',
      'canvases:write': 'Create and change canvases',
    },
    Figma: {
      'mcp:connect': 'Use Figma as you',
    },
    Stripe: {
      mcp: 'Use your Stripe account',
    },
    Box: {
      root_readwrite: 'Read and change all your files and folders',
      'ai.readwrite': 'Use Box AI',
      'docgen.readwrite': 'Create documents from templates',
    },
    Salesforce: {
      mcp_api: 'Use Salesforce as you',
      refresh_token: 'Stay signed in until you sign out',
    },
    ClickUp: {
      read: 'See your workspace',
      write: 'Change your workspace',
    },
    Neon: {
      read: 'See your databases',
      write: 'Change your databases',
    },
  },
};
