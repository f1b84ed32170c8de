import type { IpcCall, IpcHandlers } from '../../shared/ipc-contract.ts';
import { activityOperations, appOperations } from './apps.ts';
import { collectionOperations } from './collections.ts';
import { doctorOperations } from './doctor.ts';
import { listOperations } from './lists.ts';
import { localOperations } from './local.ts';
import type { OperationInput, OperationOutput } from './operation.ts';
import { permissionOperations } from './permissions.ts';
import { serverOperations } from './servers.ts';
import { settingsOperations } from './settings.ts';

/** All operations by name. Each file exports its own. */
const operations = {
  ...activityOperations,
  ...collectionOperations,
  ...serverOperations,
  ...listOperations,
  ...localOperations,
  ...permissionOperations,
  ...appOperations,
  ...settingsOperations,
  ...doctorOperations,
} as const satisfies {
  readonly [Name in IpcCall]?: (scope: never, input: OperationInput<Name>) => Promise<OperationOutput<Name>>;
};

type Operations = typeof operations;
type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
/** What all operations need together. */
type Scope = Intersection<Parameters<Operations[keyof Operations]>[0]>;

/** Operations bound to a window, as IPC handlers. */
export function operationsOf(scope: Scope): Pick<IpcHandlers, keyof Operations> {
  const bound = Object.entries(operations).map(([name, run]) => [
    name,
    (input: unknown) => (run as (scope: Scope, input: unknown) => Promise<unknown>)(scope, input),
  ]);
  return Object.fromEntries(bound) as Pick<IpcHandlers, keyof Operations>;
}
