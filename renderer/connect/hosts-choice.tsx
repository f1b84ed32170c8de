import type { HostsView } from '../../shared/connection-view.ts';
import { CheckBox } from '../parts/check-box.tsx';
import { Facts } from '../parts/facts.tsx';
import { HostName } from '../parts/host-name.tsx';
import { Notice } from '../parts/notice.tsx';
import { words } from '../words.ts';

interface HostsChoiceProps {
  readonly hosts: HostsView;
  readonly agreed: boolean;
  readonly onAgree: (agreed: boolean) => void;
}

/** Hosts of several owners, and the yes without which the sign-in does not start. */
export function HostsChoice({ hosts, agreed, onAgree }: HostsChoiceProps) {
  return (
    <Notice tone="ask" title={words.hosts.title}>
      <p>{words.hosts.text}</p>
      <Facts
        facts={[
          { term: words.hosts.page, value: <HostName>{hosts.page}</HostName> },
          { term: words.hosts.token, value: <HostName>{hosts.token}</HostName> },
          { term: words.hosts.service, value: <HostName>{hosts.service}</HostName> },
        ]}
      />
      <CheckBox checked={agreed} onChange={onAgree} label={words.hosts.agree(hosts.hosts)} />
    </Notice>
  );
}
