import type {
  ActivityStore,
  AskForCall,
  AskForUse,
  CatalogueStore,
  Collections,
  ProgramRecords,
} from '../gateway-ports.ts';
import type { EnginePorts } from '../integration/engine-ports.ts';
import type { ProgramNeed } from './access/program-need.ts';

/** What a window shows of what programs do. */
export interface GatewayWatch {
  /** A call was refused until the person does what only they can do. */
  readonly onNeed?: ((need: ProgramNeed) => void) | undefined;
  /** Left out where there is no window. */
  readonly ask?: AskForUse | undefined;
  readonly askForCall?: AskForCall | undefined;
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
