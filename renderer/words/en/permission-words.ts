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
