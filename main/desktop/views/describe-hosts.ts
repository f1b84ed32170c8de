import type { HostsView } from '../../../shared/connection-view.ts';
import { displayHost } from '../../address/display-host.ts';
import type { HostsRequest } from '../../integration/sign-in/sign-in-interaction.ts';

/** Hosts of several owners as the window shows them. */
export function describeHosts({ service, page, token, hosts }: HostsRequest): HostsView {
  return {
    service: displayHost(service),
    page: displayHost(page),
    token: displayHost(token),
    hosts: hosts.map(displayHost),
  };
}
