import { channelOf, findCheckout, readVersion } from '../host/installation.ts';
import { runOrDelegate } from './start/run-or-delegate.ts';

// Installed with npm, it uses the released channel and so shares the window's sign-ins.
const channel = findCheckout() === undefined ? channelOf({ isPackaged: true, version: readVersion() }) : 'dev';
void runOrDelegate(process.argv.slice(2), { isPackaged: false, channel }, (code) => process.exit(code));
