import { app } from 'electron';
import { product } from '../../../../shared/product.ts';
import { channelOf } from '../../../host/installation.ts';
import type { Installation } from '../../../host/installation.ts';
import { startKeychainUtility } from './keychain-utility.ts';

/** What runs here, on Electron. */
export function thisInstallation(): Installation {
  const packaged = app.isPackaged;
  const channel = channelOf({ packaged, version: product.version });
  // A package cannot fork itself as Node (the RunAsNode fuse is off).
  const resources = packaged ? { resources: process.resourcesPath } : {};
  return { packaged, channel, startKeychain: startKeychainUtility, ...resources };
}
