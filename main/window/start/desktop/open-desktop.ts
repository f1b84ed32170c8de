import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { app } from 'electron';
import type { EnginePorts } from '../../../engine/engine-ports.ts';
import { ownCommandName } from '../../../host/installation.ts';
import type { Installation } from '../../../host/installation.ts';
import type { Profile } from '../../../host/open-profile.ts';
import type { RunRemoteCommand } from '../../../net/endpoint/control-endpoint.ts';
import { chooseUpdateFeed } from '../../updates/update-feed.ts';
import { Updates } from '../../updates/updates.ts';
import { composeDesktop } from './compose-desktop.ts';
import type { ComposedDesktop, ComposeOptions } from './compose-desktop.ts';
import { openDesktopPorts } from './open-desktop-ports.ts';
import { WindowGateway } from './window-gateway.ts';

interface OpenDesktopOptions extends Omit<ComposeOptions, 'folder' | 'openPorts'> {
  readonly profile: Profile;
  readonly installation: Installation;
  readonly runCommand?: RunRemoteCommand;
}

/** Opens everything behind the windows. A separate chunk, so that the first screen does not wait for it. */
export async function openDesktop({
  profile,
  installation,
  runCommand,
  ...options
}: OpenDesktopOptions): Promise<ComposedDesktop> {
  return await composeDesktop({
    ...options,
    folder: profile.folder,
    openUpdates: (ports, onChange) => openUpdates({ ports, version: options.facts.version, onChange }),
    openGateway: (ports, observer, onHttp) =>
      new WindowGateway({
        ...{
          ports,
          apps: profile.store.apps,
          collections: profile.store.collections,
          folder: profile.folder,
          observer,
          onHttp,
          runCommand,
        },
        command: ownCommandName(installation),
      }),
    openPorts: (onHealthChange) => openDesktopPorts({ profile, installation, onHealthChange }),
  });
}

interface OpenUpdatesOptions {
  readonly ports: Pick<EnginePorts, 'clock' | 'log' | 'store'>;
  /** The running version. */
  readonly version: string;
  readonly onChange: () => void;
}

/** Updates, configured by files next to the executable. */
async function openUpdates({ ports, version, onChange }: OpenUpdatesOptions): Promise<Updates> {
  const { clock, log, store } = ports;
  const { env, platform } = process;
  const [config, packageType, publicKey] = await Promise.all([
    readText(path.join(process.resourcesPath, 'app-update.yml')),
    readText(path.join(process.resourcesPath, 'package-type')),
    readPublicKey(),
  ]);
  const facts = { packaged: app.isPackaged, platform, env, config, publicKey, packageType: packageType?.trim() };
  return new Updates({
    version,
    feed: chooseUpdateFeed(facts),
    async openBackend({ url }) {
      const { createUpdaterBackend } = await import('../system/electron-updater-backend.ts');
      return createUpdaterBackend({ url, platform, appImage: Boolean(env['APPIMAGE']) });
    },
    automatic: async () => {
      // If the settings are unreadable, do not check automatically.
      const settings = await store.settings().catch(() => undefined);
      return settings !== undefined && (settings.checkForUpdates ?? true);
    },
    clock,
    log,
    onChange,
  });
}

/** From package.json, inside the archive whose integrity Electron checks. */
async function readPublicKey(): Promise<string | undefined> {
  const text = await readText(path.join(app.getAppPath(), 'package.json'));
  const { updates } = JSON.parse(text ?? '{}') as { readonly updates?: { readonly publicKey?: string } };
  return updates?.publicKey;
}

async function readText(file: string): Promise<string | undefined> {
  return await readFile(file, 'utf8').catch(() => undefined);
}
