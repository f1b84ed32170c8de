import { channelOf, findCheckout } from '../host/installation.ts';
import { readVersion } from './output/version.ts';
import { runAnywhere } from './start/run-anywhere.ts';

// Installed with npm, it uses the released channel and so shares the window's sign-ins.
const channel = findCheckout() === undefined ? channelOf({ packaged: true, version: readVersion() }) : 'dev';
void runAnywhere(process.argv.slice(2), { packaged: false, channel }, (code) => process.exit(code));
