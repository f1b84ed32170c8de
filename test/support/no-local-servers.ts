import type { LocalServers } from '../../main/local-ports.ts';

const none = (): never => {
  throw new Error('nothing is started here');
};

/** For setups without local servers. */
export const noLocalServers: LocalServers = {
  shared: new Map(),
  prepare: none,
  resolve: none,
  withheldVariables: none,
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
