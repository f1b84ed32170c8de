import type { GuardReport } from '../../main/window/start/system/describe-guards.ts';

const preferences = {
  allowRunningInsecureContent: false,
  contextIsolation: true,
  experimentalFeatures: false,
  nodeIntegration: false,
  nodeIntegrationInSubFrames: false,
  sandbox: true,
  webSecurity: true,
  webviewTag: false,
};

const handled = ['will-attach-webview', 'will-frame-navigate', 'will-navigate', 'will-redirect', 'will-download'];

/**
 * What a package has to say of itself when it runs (PK-12). Kept by hand: a change here is a change of what a page in
 * our windows can do, and somebody has to mean it.
 */
export const expectedGuards: GuardReport = {
  served: {
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'none'; " +
      "form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    'connection-allowlist': '(response-origin);webrtc=block',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  },
  main: { preferences, handled },
  signIn: { preferences, handled },
  bar: { preferences, handled },
  handled: ['select-client-certificate', 'web-contents-created'],
  seen: {
    // prettier-ignore
    calls: [
      'onEvent',
      'app:snapshots', 'app:interactive', 'app:openLogs', 'app:copy', 'app:openPage', 'app:dismissNotice',
      'connection:discover', 'connection:start', 'connection:chooseAssertionFile', 'connection:submitCredentials', 'connection:tryAgain',
      'connection:submitCallback', 'connection:openAgain', 'connection:useBrowser', 'connection:useDevice', 'connection:stop',
      'connection:cancel', 'connection:install',
      'import:read',
      'registry:search', 'registry:stop', 'local:draft',
      'local:prepare', 'local:connect', 'local:cancel', 'local:status', 'local:start', 'local:stop', 'local:share',
      'integration:tools', 'integration:resources', 'integration:prompts', 'integration:callTool',
      'integration:readResource', 'integration:getPrompt', 'integration:complete', 'integration:follow', 'integration:stopCall',
      'integration:signInAgain', 'integration:switchAccount', 'integration:refresh', 'integration:signOut', 'integration:remove', 'integration:update',
      'integration:setCredentials', 'integration:replaceKey', 'integration:signIns', 'integration:events', 'integration:icon', 'integration:askWho',
      'deletion:undo', 'deletion:finish', 'deletion:dismiss',
      'result:copy', 'result:save', 'result:open',
      'settings:update', 'settings:chooseCertificateFile', 'settings:arrange', 'settings:openFile', 'settings:restore', 'storage:selfTest', 'storage:deleteEverything', 'list:export', 'list:import',
      'program:find', 'program:preview', 'program:previewOther', 'program:previewUndo', 'program:look', 'program:previewTakeOver', 'program:previewLeaving', 'program:previewPort', 'program:openPort', 'program:change', 'program:copyLines', 'program:pasted', 'program:pause', 'program:revoke',
      'collection:save', 'collection:remove',
      'approval:answer', 'question:answer', 'permission:answer', 'permission:set', 'permission:changes', 'permission:accept', 'activity:read', 'activity:export',
      'update:check', 'update:download', 'update:install',
    ],
    node: [],
    permissions: { geolocation: 'denied', notifications: 'denied', camera: 'denied', microphone: 'denied' },
  },
};

/** Reads it from what the program has printed; `undefined` where it has not. */
export function readGuards(stdout: string): unknown {
  const [, text] = /^guards (\{.*\})$/m.exec(stdout) ?? [];
  return text === undefined ? undefined : JSON.parse(text);
}
