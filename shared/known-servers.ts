import { cloudServers } from './known-servers/cloud-servers.ts';
import { codeServers } from './known-servers/code-servers.ts';
import { dataServers } from './known-servers/data-servers.ts';
import { designServers } from './known-servers/design-servers.ts';
import { docsServers } from './known-servers/docs-servers.ts';
import type { KnownServer } from './known-servers/known-server.ts';
import { moneyServers } from './known-servers/money-servers.ts';
import { moreServers } from './known-servers/more-servers.ts';
import { officeServers } from './known-servers/office-servers.ts';
import { salesServers } from './known-servers/sales-servers.ts';
import { teamServers } from './known-servers/team-servers.ts';
import { webServers } from './known-servers/web-servers.ts';
import { workServers } from './known-servers/work-servers.ts';

/** Services with an MCP server, in the order of their names. */
export const knownServers: readonly KnownServer[] = [
  ...workServers,
  ...teamServers,
  ...officeServers,
  ...codeServers,
  ...cloudServers,
  ...dataServers,
  ...designServers,
  ...salesServers,
  ...moneyServers,
  ...docsServers,
  ...webServers,
  ...moreServers,
].toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
