import type { Engine } from '../engine/open-engine.ts';
import type { Profile } from '../engine/open-profile.ts';
import type { Collections, ProgramRecords } from '../gateway-ports.ts';
import type { Keychain } from '../ports.ts';
import type { PosternError } from '../postern-error.ts';

/** The engine as a command has it. */
export interface CommandEngine extends Engine, Pick<Profile, 'history'> {
  readonly folder: string;
  readonly keychain: Keychain;
  /** The programs that may use what is connected. */
  readonly programs: ProgramRecords;
  readonly collections: Collections;
  /** What was found in the settings file. */
  readonly notices: () => readonly PosternError[];
  /** Variables of the environment that have no effect here. */
  readonly ignored: readonly string[];
}
