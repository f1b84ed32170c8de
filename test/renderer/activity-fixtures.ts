import type { Page } from 'playwright-core';
import { words } from '../../renderer/words.ts';
import type { ActivityView, CallGroup, Today } from '../../shared/activity.ts';
import { describeError, isErrorCode } from '../../shared/error-codes.ts';
import type { IpcCall, IpcOutput } from '../../shared/ipc-contract.ts';
import type { LeadPage } from '../gallery/page-here.ts';
import { aCall } from '../support/activity-calls.ts';

const begin = Date.UTC(2026, 10, 20, 9, 30);

export function aCallView(change: Partial<ActivityView> = {}): ActivityView {
  const call = aCall({ integration: 'linear', server: 'Linear', at: begin });
  return { ...call, appName: 'Cursor', serverName: change.server ?? call.server, ...change };
}

/** Calls as main returns them, numbered from `first`. */
export function activityOf(calls: readonly ActivityView[], first = 1): IpcOutput<'activity:read'> {
  return { first: 1, last: first + calls.length - 1, calls: [...calls] };
}

export function aGroup(change: Partial<CallGroup> = {}): CallGroup {
  return {
    app: 'cursor',
    appName: 'Cursor',
    integration: 'linear',
    serverName: 'Linear',
    method: 'tools/call',
    tool: 'list_issues',
    end: 'ok',
    count: 1,
    lastAt: Date.now() - 3 * 60_000,
    ...change,
  };
}

/** What main returns for Home. */
export function todayOf(today: Partial<Today> = {}, revision = 1): IpcOutput<'activity:today'> {
  return { revision, today: { uses: [], groups: [], unanswered: [], ...today } };
}

/** One group of every end, the newest first. */
export function someGroups(): CallGroup[] {
  const { tool: _tool, ...resource } = aGroup({ method: 'resources/read', app: 'claude-code', count: 2 });
  return [
    aGroup({ count: 12 }),
    resource,
    aGroup({ tool: 'delete_issue', end: 'failed', count: 3 }),
    aGroup({ tool: 'archive_issue', end: 'declined' }),
    aGroup({ tool: 'move_issue', end: 'unanswered' }),
    aGroup({ tool: 'new_tool', end: 'undecided' }),
    aGroup({ tool: 'export_everything', end: 'cancelled' }),
    aGroup({
      app: 'gone-app',
      appName: 'An app with a name that is rather long',
      integration: 'gone',
      serverName: 'A server with a name that is quite a bit longer than its column',
      tool: 'get_document_with_a_name_that_is_quite_a_bit_longer_than_the_list_and_goes_on',
    }),
  ].map((group, index) => ({ ...group, lastAt: group.lastAt - index * 61_000 }));
}

/** A call that the user did not answer yesterday. */
export function anUnanswered(change: Partial<CallGroup> = {}): CallGroup {
  return aGroup({ tool: 'create_comment', end: 'unanswered', lastAt: Date.now() - 26 * 3_600_000, ...change });
}

/** Calls that are logged but not shown. */
export function someHandshakes(): ActivityView[] {
  return [
    withoutTool({ method: 'initialize' }),
    withoutTool({ method: 'tools/list', ms: 41, bytesOut: 48_211, protocol: 'stateless' }),
    withoutTool({ method: 'server/discover', outcome: 'cancelled' }),
  ];
}

/** One call of every outcome, some with long names. Oldest first. */
export function someCalls(): ActivityView[] {
  const { app: _id, appName: _name, ...unknown } = withoutTool({ outcome: 'APP_UNKNOWN', method: 'initialize' });
  return [
    unknown,
    withoutTool({ method: 'resources/read', ms: 41, bytesOut: 48_211, protocol: 'stateless' }),
    aCallView({ tool: 'archive_issue', outcome: 'APPROVAL_REFUSED', ms: 2 }),
    aCallView({ tool: 'move_issue', outcome: 'APPROVAL_TIMEOUT', ms: 2 }),
    aCallView({ tool: 'list_issues', app: 'claude-code', appName: 'Claude Code', ms: 214 }),
    aCallView({ tool: 'create_issue', outcome: 'toolError', ms: 96 }),
    aCallView({ tool: 'delete_issue', outcome: '-32602', ms: 31 }),
    aCallView({ tool: 'export_everything', outcome: 'cancelled', ms: 61_204, bytesOut: 0 }),
    aCallView({ tool: 'search', integration: 'gone', server: 'Old notes', outcome: 'SESSION_LOST', bytesOut: 210 }),
    aCallView({
      tool: 'get_document_with_a_name_that_is_quite_a_bit_longer_than_the_list_and_goes_on',
      server: 'A server with a name that is quite a bit longer than its column',
      integration: 'long',
      outcome: 'SIGN_IN_REQUIRED',
    }),
  ].map((call, index) => ({
    ...call,
    at: begin + index * 61_000,
    ...(isErrorCode(call.outcome) && {
      failure: {
        code: call.outcome,
        sentence: describeError(call.outcome, {}).message,
        ...(call.outcome === 'APPROVAL_REFUSED' && { decision: 'no' as const }),
        ...(['APPROVAL_TIMEOUT', 'APP_UNKNOWN'].includes(call.outcome) && { decision: 'none' as const }),
      },
    }),
  }));
}

function withoutTool(change: Partial<ActivityView>): ActivityView {
  const { tool: _tool, ...call } = aCallView(change);
  return call;
}

export async function openActivity(page: LeadPage): Promise<void> {
  await page.getByRole('button', { name: 'Activity', exact: true }).click();
}

/** Opens the newest call. */
export async function openCall(page: LeadPage): Promise<void> {
  await openActivity(page);
  await page.getByRole('listbox', { name: 'Calls, newest first' }).getByRole('option').first().click();
  await page.getByRole('dialog').waitFor();
}

/** Searches for a tool that was never called. */
export async function findNoCall(page: LeadPage): Promise<void> {
  await openActivity(page);
  await page.getByRole('searchbox', { name: 'Tool' }).fill('nothing');
  await page.getByText(words.activity.noMatch).waitFor();
}

/** Main returns this for the next call. */
export async function answerActivity(page: Page, activity: IpcOutput<'activity:read'>): Promise<void> {
  await answerNow(page, 'activity:read', activity);
}

/** Main returns this from now on. */
export async function answerNow(page: Page, call: IpcCall, value: unknown): Promise<void> {
  await page.evaluate(([asked, said]) => (window as unknown as FakeWindow).fakeMain.answer(asked, said), [
    call,
    value,
  ] as const);
}

interface FakeWindow {
  readonly fakeMain: { answer(call: string, value: unknown): void };
}
