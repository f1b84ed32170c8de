// Which apps may use which servers: consent, revocation and pauses.

import { createHash, timingSafeEqual } from 'node:crypto';
import { isObject } from '../../../shared/json-object.ts';
import { dropUndefined } from '../../../shared/drop-undefined.ts';
import type { Integration } from '../../../shared/integration.ts';
import { appRecordSchema, withWaiting } from '../../../shared/app-record.ts';
import type { AppRecord } from '../../../shared/app-record.ts';
import type { Settings } from '../../../shared/settings.ts';
import { displayText } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { AppUser, AppRecords, AccessRequest } from '../../gateway-ports.ts';
import { displayNameLength } from '../../limits.ts';
import type { Clock } from '../../ports.ts';
import type { RequestEnvelope } from '../messages/envelope.ts';

/** Whether this app may use the integration now. */
export function mayUse(record: AppRecord | undefined, integration: string): boolean {
  return record !== undefined && record.revokedAt === undefined && record.integrations.includes(integration);
}

/** Whether an open session may continue. `isOnce`: consent was given for that session only. */
export function mayContinue(record: AppRecord | undefined, integration: string, isOnce: boolean): boolean {
  return isOnce ? record !== undefined && record.revokedAt === undefined : mayUse(record, integration);
}

/** Whether this is a valid id of an app record. */
export function isRecordId(id: string): boolean {
  return appRecordSchema().shape.id.safeParse(id).success;
}

export function findById(records: readonly AppRecord[], id: string | undefined): AppRecord | undefined {
  return id === undefined ? undefined : records.find((record) => record.id === id);
}

/** Compares hashes in constant time. */
export function findBySecret(records: readonly AppRecord[], secret: string): AppRecord | undefined {
  const hash = createHash('sha256').update(secret).digest();
  return records.find(({ secretHash = '', revokedAt }) => {
    const stored = Buffer.from(secretHash, 'hex');
    return revokedAt === undefined && stored.length === hash.length && timingSafeEqual(stored, hash);
  });
}

/** Returns the record if the app may use the integration. Errors: APP_UNKNOWN, APP_REVOKED. */
export function admit(
  record: AppRecord | undefined,
  { id, name }: Pick<Integration, 'id' | 'name'>,
  { allowUnknown }: { readonly allowUnknown: boolean },
): AppRecord | undefined {
  const detail = dropUndefined({ name: displayText(name), app: record && displayText(record.name) });
  if (record?.revokedAt !== undefined) throw new PosternError('APP_REVOKED', { stage: 'gateway', detail });
  if (!allowUnknown && !mayUse(record, id)) throw new PosternError('APP_UNKNOWN', { stage: 'gateway', detail });
  return record;
}

type Record = Pick<AppRecord, 'app' | 'name'> | undefined;

/** Which apps the user has paused: all of them, or single ones. */
export class PausedApps {
  readonly #all: boolean;
  readonly #single: readonly string[];

  constructor({ appsPaused = false, pausedApps = [] }: Pick<Settings, 'appsPaused' | 'pausedApps'>) {
    this.#all = appsPaused;
    this.#single = pausedApps;
  }

  /** `record`: `undefined` for an app without a record. */
  has(record: Record): boolean {
    return this.#all || (record !== undefined && this.#single.includes(record.app));
  }

  /** Throws if the app is paused. Errors: GATEWAY_PAUSED, APP_PAUSED. */
  admit(record: Record): void {
    if (this.#all) throw new PosternError('GATEWAY_PAUSED', { stage: 'gateway' });
    if (!record || !this.has(record)) return;
    const name = displayText(record.name, displayNameLength);
    throw new PosternError('APP_PAUSED', {
      stage: 'gateway',
      detail: { app: name },
      remedy: { kind: 'resume-app', name, app: record.app },
    });
  }
}

interface ConsentPorts {
  readonly apps: AppRecords;
  readonly clock: Pick<Clock, 'now'>;
  readonly allowUnknown?: boolean;
  readonly user: AppUser;
}

/** An app that may open a session. */
export interface AdmittedApp {
  readonly app: AppRecord | undefined;
  /** For this session only. */
  readonly isOnce: boolean;
}

/** Whether to ask the user for consent. Not for a revoked app. */
export function canAsk(
  { user, allowUnknown }: Pick<ConsentPorts, 'user' | 'allowUnknown'>,
  record: AppRecord | undefined,
  { id }: Pick<Integration, 'id'>,
): boolean {
  return user.allowUse !== undefined && !allowUnknown && record?.revokedAt === undefined && !mayUse(record, id);
}

/** Asks the user for consent. Errors: APP_UNKNOWN, also after a timeout; APP_REVOKED, CFG_*. */
export async function requestConsent(
  { apps, clock, user }: ConsentPorts,
  accessRequest: AccessRequest,
): Promise<AdmittedApp> {
  const { entry, integration } = accessRequest;
  const decision = (await user.allowUse?.(accessRequest)) ?? { kind: 'no' };
  const records =
    decision.kind === 'always'
      ? await apps.change((before) => withGrant(before, { entry, integration, app: decision.app, clock }))
      : await apps.list();
  // It may have been revoked meanwhile.
  const isOnce = decision.kind === 'once';
  return { app: admit(findById(records, entry), integration, { allowUnknown: isOnce }), isOnce };
}

/** The app's self-reported names, most trusted first. */
export function clientNamesOf({ params }: RequestEnvelope): readonly string[] {
  const { _meta } = params;
  const info = params['clientInfo'] ?? (isObject(_meta) ? _meta['io.modelcontextprotocol/clientInfo'] : undefined);
  if (!isObject(info)) return [];
  return [info['title'], info['name']].filter((name) => typeof name === 'string');
}

function withGrant(
  records: readonly AppRecord[],
  {
    entry,
    integration,
    app,
    clock,
  }: Pick<AccessRequest, 'entry' | 'integration'> & {
    readonly app: { readonly id: string; readonly name: string };
    readonly clock: Pick<Clock, 'now'>;
  },
): readonly AppRecord[] {
  if (entry === undefined) return records;
  const known = findById(records, entry);
  // The record belongs to another app by now: the user has not consented to that.
  if (known && known.app !== app.id) return records;
  const record = known ?? { id: entry, app: app.id, name: app.name, integrations: [], createdAt: clock.now() };
  const { waiting = [], called = [], integrations } = record;
  const granted = integrations.includes(integration.id)
    ? record
    : { ...record, integrations: [...integrations, integration.id] };
  // The request shows that the app has an entry, wherever that is.
  const used = withWaiting(
    granted,
    waiting.filter((id) => id !== integration.id),
    [...called, integration.id],
  );
  return known ? records.map((each) => (each.id === entry ? used : each)) : [...records, used];
}
