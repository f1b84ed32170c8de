import { channelOf, findCheckout } from '../host/installation.ts';
import { readVersion } from './output/version.ts';
import { runAnywhere } from './start/asked-elsewhere.ts';

// Installed by npm it is a released version like any other: it reads the sign-ins that the window keeps.
const channel = findCheckout() === undefined ? channelOf({ packaged: true, version: readVersion() }) : 'dev';
void runAnywhere(process.argv.slice(2), { packaged: false, channel }, (code) => process.exit(code));
