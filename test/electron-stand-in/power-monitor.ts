import type * as Electron from 'electron';
import { strictEmitter } from './not-emulated.ts';

const events = [
  'lock-screen',
  'on-ac',
  'on-battery',
  'resume',
  'shutdown',
  'suspend',
  'thermal-state-change',
  'unlock-screen',
  'user-did-become-active',
  'user-did-resign-active',
];

/** Emits nothing on its own; tests emit the events. */
export class StandInPowerMonitor
  extends strictEmitter('powerMonitor', events)
  implements Pick<Electron.PowerMonitor, 'onBatteryPower'>
{
  onBatteryPower = false;
}

export const powerMonitor = new StandInPowerMonitor();
