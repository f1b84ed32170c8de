/**
 * The calls from the window to main, `group:verb`, and the one channel back. Names alone, so that the preload, which
 * needs no more than these, stays small; `ipc-contract.ts` says what each takes and answers.
 */
// prettier-ignore
export const ipcCalls = [
  'app:snapshots', 'app:interactive', 'app:openLogs', 'app:copy', 'app:openPage', 'app:dismissNotice',
  'connection:discover', 'connection:start', 'connection:chooseAssertionFile', 'connection:submitCredentials', 'connection:tryAgain',
  'connection:submitCallback', 'connection:openAgain', 'connection:useBrowser', 'connection:useDevice', 'connection:stop',
  'connection:cancel', 'connection:install',
  'import:read',
  'registry:search', 'registry:stop',
  'local:draft', 'local:prepare', 'local:connect', 'local:cancel', 'local:status', 'local:start', 'local:stop', 'local:share',
  'integration:tools', 'integration:resources', 'integration:prompts', 'integration:callTool',
  'integration:readResource', 'integration:getPrompt', 'integration:complete', 'integration:follow', 'integration:stopCall',
  'integration:signInAgain', 'integration:switchAccount', 'integration:refresh', 'integration:signOut', 'integration:remove', 'integration:update',
  'integration:setCredentials', 'integration:replaceKey', 'integration:signIns', 'integration:events', 'integration:icon', 'integration:askWho',
  'deletion:undo', 'deletion:finish', 'deletion:dismiss',
  'result:copy', 'result:save', 'result:open',
  'settings:update', 'settings:chooseCertificateFile', 'settings:arrange', 'settings:openFile', 'settings:restore', 'storage:selfTest', 'storage:deleteEverything', 'list:export', 'list:import',
  'program:find', 'program:preview', 'program:previewOther', 'program:previewUndo', 'program:look', 'program:previewTakeOver', 'program:previewLeaving', 'program:previewPort', 'program:openPort', 'program:change', 'program:copyLines', 'program:pasted', 'program:pause', 'program:revoke',
  'collection:save', 'collection:remove',
  'approval:answer', 'question:answer', 'permission:answer', 'permission:set',
  'permission:changes', 'permission:accept',
  'activity:read', 'activity:export',
  'update:check', 'update:download', 'update:install',
] as const;

export type IpcCall = (typeof ipcCalls)[number];

/** Main speaks to the window on this channel alone (`ipc-event.ts`). */
export const ipcEventChannel = 'event';

/** What stands behind the address of our page in the small window that asks about calls of tools. */
export const askingPage = '#asking';
