import { wayOutOf } from '../../shared/error-facts.ts';
import type { WayOut } from '../../shared/error-facts.ts';
import type { Integration } from '../../shared/integration.ts';
import type { EnginePorts } from '../engine/engine-ports.ts';
import { judgeKeyFailure } from '../engine/kept/api-key.ts';
import { PosternError, remedyOf } from '../errors/postern-error.ts';
import type { ActivityStore, AppUser, CatalogueStore, Collections, ProgramRecords } from '../gateway-ports.ts';

/** What a window shows of what programs do. */
export interface GatewayWatch {
  /** A call was refused until the person does what only they can do. */
  readonly onNeed?: ((need: ProgramNeed) => void) | undefined;
  readonly user: AppUser;
  /** Somebody has signed in to the integration with this id. */
  readonly onSignedIn?: ((id: string) => void) | undefined;
}

export interface GatewayPorts extends EnginePorts, GatewayWatch {
  readonly programs: ProgramRecords;
  readonly collections: Pick<Collections, 'list'>;
  readonly catalogue: CatalogueStore;
  readonly activity: ActivityStore;
  /** A program that nobody has added may use everything. */
  readonly allowUnknown: boolean;
  /** How a person types `postern` on this computer; `undefined` where they cannot. */
  readonly command: string | undefined;
  readonly onSession: (event: SessionEvent) => void;
}

export interface SessionEvent {
  readonly state: 'open' | 'refused' | 'closed';
  readonly program: string | undefined;
  readonly integration: string;
}

/** A call of a program that was refused, and that only the person can make possible. */
interface ProgramNeed {
  readonly integration: Pick<Integration, 'id' | 'name'>;
  /** What the program is called. */
  readonly program: string;
  readonly error: PosternError;
  readonly wayOut: WayOut;
}

/**
 * The failure where a sign-in, more permissions or another key would help; `undefined` where the person can do nothing,
 * or where the next call may go through by itself.
 */
export function personalFailure(
  integration: Pick<Integration, 'url' | 'options'>,
  thrown: unknown,
): Pick<ProgramNeed, 'error' | 'wayOut'> | undefined {
  if (!(thrown instanceof PosternError)) return undefined;
  const error = judgeKeyFailure(integration, { error: thrown });
  const wayOut = wayOutOf(remedyOf(error));
  return wayOut && { error, wayOut };
}
