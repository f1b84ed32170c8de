import { ownCommandName } from '../../engine/command-name.ts';
import type { Installation } from '../../engine/installation.ts';
import type { Profile } from '../../engine/open-profile.ts';
import { composeDesktop } from './compose-desktop.ts';
import type { ComposedDesktop, ComposeOptions } from './compose-desktop.ts';
import { openDesktopPorts } from './open-desktop-ports.ts';
import { openUpdates } from './open-updates.ts';
import { WindowGateway } from './window-gateway.ts';

export interface OpenDesktopOptions extends Omit<ComposeOptions, 'folder' | 'openPorts'> {
  readonly profile: Profile;
  readonly installation: Installation;
}

/** The program behind its windows, on the real world. One chunk of its own: the first screen does not wait for it. */
export async function openDesktop({ profile, installation, ...options }: OpenDesktopOptions): Promise<ComposedDesktop> {
  return await composeDesktop({
    ...options,
    folder: profile.folder,
    openUpdates: (ports, onChange) => openUpdates({ ports, version: options.facts.version, onChange }),
    openGateway: (ports, watch, onHttp) =>
      new WindowGateway({
        ...{
          ports,
          programs: profile.store.programs,
          collections: profile.store.collections,
          folder: profile.folder,
          watch,
          onHttp,
        },
        command: ownCommandName(installation),
      }),
    openPorts: (onHealth) => openDesktopPorts({ profile, installation, onHealth }),
  });
}
