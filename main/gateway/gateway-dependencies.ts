// What the gateway needs from the process that runs it, and what it reports to the window.

import { userActionFor } from '../../shared/error-traits.ts';
import type { UserAction } from '../../shared/error-traits.ts';
import type { Integration } from '../../shared/integration.ts';
import type { EnginePorts } from '../engine/engine-ports.ts';
import { judgeKeyFailure } from '../engine/records/api-key.ts';
import { PosternError, remedyOf } from '../errors/postern-error.ts';
import type { ActivityStore, AppUser, CatalogStore, Collections, AppRecords } from '../gateway-ports.ts';

/** Called by the gateway to update the window and ask the user. */
export interface GatewayObserver {
  /** A call was refused until the user does something that only they can do. */
  readonly onActionNeeded?: ((need: NeededAction) => void) | undefined;
  readonly user: AppUser;
  /** The user has signed in to the integration with this id. */
  readonly onSignedIn?: ((id: string) => void) | undefined;
}

export interface GatewayPorts extends EnginePorts, GatewayObserver {
  readonly apps: AppRecords;
  readonly collections: Pick<Collections, 'list'>;
  readonly catalog: CatalogStore;
  readonly activity: ActivityStore;
  /** Apps that the user has not added may use everything. */
  readonly allowUnknown: boolean;
  /** The `postern` command as typed on this computer; `undefined` if none is installed. */
  readonly command: string | undefined;
  readonly onSession: (event: SessionEvent) => void;
}

export interface SessionEvent {
  readonly state: 'open' | 'refused' | 'closed';
  readonly app: string | undefined;
  readonly integration: string;
}

/** A refused call that needs an action of the user. */
interface NeededAction {
  readonly integration: Pick<Integration, 'id' | 'name'>;
  /** Name of the app. */
  readonly app: string;
  readonly error: PosternError;
  readonly userAction: UserAction;
}

/**
 * The failure, if a sign-in, more scopes or another key would fix it; `undefined` if the user can do nothing, or if the
 * next call may succeed anyway.
 */
export function actionableFailure(
  integration: Pick<Integration, 'url' | 'options'>,
  thrown: unknown,
): Pick<NeededAction, 'error' | 'userAction'> | undefined {
  if (!(thrown instanceof PosternError)) return undefined;
  const error = judgeKeyFailure(integration, { error: thrown });
  const userAction = userActionFor(remedyOf(error));
  return userAction && { error, userAction };
}
