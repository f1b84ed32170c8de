import type { IntegrationView } from '../../shared/integration-view.ts';
import { Ellipsis } from 'lucide-react';
import { describeStatus } from '../integrations/describe-status.ts';
import { ServerIcon } from '../integrations/server-icon.tsx';
import { StatusMark } from '../integrations/status-mark.tsx';
import { wantsKey } from '../integrations/wants-key.ts';
import { useServerMenu } from '../integrations/use-server-menu.tsx';
import { Button } from '../parts/button.tsx';
import { IconButton } from '../parts/icon-button.tsx';
import { placeOfAddress } from '../parts/place-of-address.ts';
import { useSnapshots } from '../store.ts';
import { showIntegration } from '../view.ts';
import type { IntegrationTab } from '../view.ts';
import { words } from '../words.ts';
import { MendButton, MendError, useMend } from './mend.tsx';

interface IntegrationHeaderProps {
  readonly integration: IntegrationView;
  readonly tab: IntegrationTab;
  /** What it is for is offered on the page itself. */
  readonly isNew: boolean;
}

/** The name and the one truthful state, with the next step: what mends it, or to use it in programs. */
export function IntegrationHeader({ integration, tab, isNew }: IntegrationHeaderProps) {
  const { id, name, url, status, busy, wantedBy } = integration;
  const isUsed = useSnapshots((state) => state.programs?.some(({ uses }) => uses.includes(id)) ?? false);
  const mend = useMend(integration);
  const menu = useServerMenu();
  const label = busy === undefined ? describeStatus(integration) : words.busy[busy];
  return (
    <header className={`integration-head integration-state ${busy ?? status.name}`}>
      <div className="page-head">
        <ServerIcon integration={integration} size="large" />
        <div className="page-titles">
          <h1 title={name}>{name}</h1>
          <p className="integration-state-line small">
            <StatusMark status={busy === undefined ? status.name : 'busy'} />
            <span role="status">{label}</span>
            <span className="soft integration-place" title={url}>
              {placeOfAddress(url, integration.host)}
            </span>
          </p>
        </div>
        {busy === undefined && status.name === 'ready' && tab !== 'use' && !isNew && (
          <Button
            // Other pages have a next step of their own.
            kind={isUsed || tab !== 'overview' ? 'plain' : 'primary'}
            className="to-programs"
            onClick={() => showIntegration(id, 'use')}
          >
            {words.integration.menu.use}
          </Button>
        )}
        <IconButton
          icon={Ellipsis}
          label={words.integration.more}
          aria-haspopup="menu"
          aria-expanded={menu.isOpen}
          onClick={(event) => {
            const { right, bottom } = event.currentTarget.getBoundingClientRect();
            menu.open({ kind: 'servers', servers: [integration], isShown: true }, { x: right, y: bottom });
          }}
        />
        {menu.part}
      </div>
      {busy === undefined && status.name !== 'ready' && (
        <div className="integration-reason">
          {wantedBy !== undefined && <p className="integration-wanted">{words.integration.wanted(wantedBy, name)}</p>}
          <p className="soft">
            {reasonOf(integration)} {wantedBy !== undefined && words.integration.wantedNext(wantedBy)}
          </p>
          <MendButton integration={integration} mend={mend} isMain={!hasMain(tab, integration)} />
        </div>
      )}
      <MendError integration={integration} mend={mend} />
    </header>
  );
}

/** What the tab is for can be done all the same, with a main button of its own. */
function hasMain(tab: IntegrationTab, { status }: IntegrationView): boolean {
  return tab === 'use' || tab === 'settings' || (tab === 'tools' && status.name === 'needsAccess');
}

function reasonOf(integration: IntegrationView): string {
  const { error, name } = integration.status;
  if (error === undefined) return wantsKey(integration) ? words.account.keyGone : words.integration.sentence[name];
  // In these states the button is the next step, so the reason alone is enough.
  const saysItself = name === 'signIn' || name === 'signInAgain' || name === 'needsAccess';
  if (saysItself) return words.errors.message(error);
  // Its address was right once, and nothing here changes it. Whom a server shuts out, its owner knows.
  const isOfAddress = error.code === 'MCP_FAILED' && error.detail?.['status'] !== 403 && name === 'failing';
  return `${words.errors.message(error)} ${isOfAddress ? words.integration.mayHaveMoved : words.errors.nextStep(error.remedy)}`;
}
