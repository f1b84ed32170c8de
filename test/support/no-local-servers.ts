import type { LocalServers } from '../../main/local-ports.ts';

const none = (): never => {
  throw new Error('nothing is started here');
};

/** For worlds in which no server runs on this computer. */
export const noLocalServers: LocalServers = {
  shared: new Map(),
  prepare: none,
  resolve: none,
  notGiven: none,
  start: none,
  status: none,
  output: none,
  allow: none,
  stop: none,
  onAllow: () => () => {},
  onChange: () => () => {},
  hurry: () => {},
  close: async () => {},
};
