import * as z from 'zod';
import { settingNames, settingOf } from './settings.ts';
import type { SchemaOf, SettingName, Settings, SettingTable } from './settings.ts';

const shapeOf = (schemaFor: (name: SettingName) => z.ZodType): unknown =>
  Object.fromEntries(settingNames.map((name) => [name, schemaFor(name)]));

/** A change that a page may ask for. `null`: back to the default. */
export const settingsChangeSchema = z.strictObject({
  ...(shapeOf((name) => settingOf(name).schema.nullable().optional()) as {
    readonly [Name in SettingName]: z.ZodOptional<z.ZodNullable<SchemaOf<Name>>>;
  }),
  /** The user picks the file in a dialog of the system: no page names one. */
  certificateFile: z.null().optional(),
  /** It stands in entries of programs: `program:changePort` renews them with it. */
  gatewayPort: z.undefined().optional(),
});

/** What came back in the place of a file that could not be used. */
export const restoredSettingsSchema = z.strictObject({
  servers: z.number().int().min(0),
  /** Milliseconds since 1970 from which the settings are. */
  writtenAt: z.number(),
  /** What stood there before, in the profile folder; absent where there was nothing. */
  keptAs: z.string().optional(),
});

export type RestoredSettings = Readonly<z.infer<typeof restoredSettingsSchema>>;

/** The settings in effect: what is stored, and the defaults of the rest. */
export const settingsViewSchema = z.strictObject(
  shapeOf((name) =>
    settingOf(name).default === undefined ? settingOf(name).schema.optional() : settingOf(name).schema,
  ) as {
    readonly [Name in SettingName]: SettingTable[Name] extends { readonly default: unknown }
      ? SchemaOf<Name>
      : z.ZodOptional<SchemaOf<Name>>;
  },
);

export type SettingsView = z.infer<typeof settingsViewSchema>;

export function settingsInEffect(stored: Settings): SettingsView {
  const values = settingNames.flatMap((name): [string, unknown][] => {
    const value = stored[name] ?? settingOf(name).default;
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(values) as SettingsView;
}
