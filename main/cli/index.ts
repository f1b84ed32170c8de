import { channelOf } from '../engine/installation.ts';
import { findCheckout } from '../engine/checkout.ts';
import { runProcess } from './start/run-process.ts';
import { readVersion } from './output/version.ts';

const checkout = findCheckout();

void runProcess({
  argv: process.argv.slice(2),
  // Installed by npm it is a released version like any other: it reads the sign-ins that the window keeps.
  installation: {
    packaged: false,
    channel: checkout === undefined ? channelOf({ packaged: true, version: readVersion() }) : 'dev',
  },
  exit: (code) => process.exit(code),
});
