import { type Integration, integrationSchema } from '../../shared/integration.ts';
import { type Settings, settingsSchema } from '../../shared/settings.ts';

/** Settings and integration list as they stand in `config.json`. */
export interface SettingsDocument {
  readonly version: number;
  readonly settings: Settings;
  readonly integrations: readonly Integration[];
}

export const settingsVersion = 1;

export const emptySettings: SettingsDocument = { version: settingsVersion, settings: {}, integrations: [] };

/** Step `n` turns a document of version `n` into one of `n + 1`. Golden files of every shipped version stay tests. */
const migrations: Readonly<Record<number, (document: Record<string, unknown>) => Record<string, unknown>>> = {};

export interface SettingsReading {
  readonly document: SettingsDocument;
  /** What the schema refused and `document` leaves out: nothing, parts, or all of it. */
  readonly damage: 'none' | 'some' | 'all';
  /** Written by a newer version: what is understood is shown, nothing may be written. */
  readonly newer: boolean;
  /** Integrations left out. */
  readonly hidden: number;
}

/**
 * Checks what a file holds: it may have been edited, synchronised or cut short. One bad entry does not hide the others.
 */
export function readSettingsDocument(text: string): SettingsReading {
  const root = parseObject(text);
  if (!root) return { document: emptySettings, damage: 'all', newer: false, hidden: 0 };
  const version = root['version'];
  if (!Number.isInteger(version) || (version as number) < 1) {
    return { document: emptySettings, damage: 'all', newer: false, hidden: 0 };
  }
  const current = migrate(root, version as number);
  const { kept, hidden } = readIntegrations(current['integrations']);
  const { settings, complete } = readSettings(current['settings']);
  const surplus = Object.keys(current).some((name) => !Object.hasOwn(emptySettings, name));
  return {
    document: { version: settingsVersion, settings, integrations: kept },
    damage: hidden > 0 || !complete || surplus ? 'some' : 'none',
    newer: (version as number) > settingsVersion,
    hidden,
  };
}

export function renderSettingsDocument(document: SettingsDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function migrate(root: Record<string, unknown>, version: number): Record<string, unknown> {
  let document = root;
  for (let from = version; from < settingsVersion; from += 1) document = migrations[from]?.(document) ?? document;
  return document;
}

function readIntegrations(value: unknown): { kept: Integration[]; hidden: number } {
  if (!Array.isArray(value)) return { kept: [], hidden: value === undefined ? 0 : 1 };
  const byId = new Map<string, Integration>();
  for (const entry of value) {
    const parsed = integrationSchema.safeParse(entry);
    if (parsed.success && !byId.has(parsed.data.id)) byId.set(parsed.data.id, parsed.data);
  }
  return { kept: [...byId.values()], hidden: value.length - byId.size };
}

/** Each setting by itself: a bad one goes back to its default alone. */
function readSettings(value: unknown): { settings: Settings; complete: boolean } {
  const whole = settingsSchema.safeParse(value ?? {});
  if (whole.success) return { settings: whole.data, complete: true };
  const source = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const entries = Object.entries(settingsSchema.shape).flatMap(([name, schema]) => {
    const parsed = Object.hasOwn(source, name) ? schema.safeParse(source[name]) : undefined;
    return parsed?.success ? [[name, parsed.data]] : [];
  });
  return { settings: Object.fromEntries(entries) as Settings, complete: false };
}
