import { useShallow } from 'zustand/shallow';
import type { ConnectionView } from '../../shared/connection-view.ts';
import { useSnapshots } from '../store.ts';
import { show, showIntegration, useView } from '../view.ts';
import { words } from '../words.ts';
import { StatusMark } from './status-mark.tsx';

const isWorking = new Set<ConnectionView['state']['name']>([
  'discovering',
  'registering',
  'exchanging',
  'ticketIssued',
]);

/** Sign-ins that are under way stay in reach while something else is looked at. */
export function ConnectionList() {
  const connections = useSnapshots(
    useShallow((state) => (state.connections ?? []).filter((connection) => connection.state.name !== 'integrated')),
  );
  const view = useView((state) => state.view);
  if (connections.length === 0) return null;
  return (
    <div className="connection-list">
      <h2 className="sidebar-title">{words.sidebar.inProgress}</h2>
      <ul>
        {connections.map((connection) => {
          const { id, integrationId, state, name, host, url } = connection;
          const isCurrent =
            (view.name === 'connect' && view.connectionId === id) ||
            (view.name === 'integration' && view.id === integrationId);
          return (
            <li key={id}>
              <button
                type="button"
                className="sidebar-item connection"
                aria-current={isCurrent ? 'page' : undefined}
                onClick={() =>
                  integrationId === undefined
                    ? show({ name: 'connect', connectionId: id })
                    : showIntegration(integrationId)
                }
              >
                <StatusMark status={markOf(state.name)} />
                <span className="integration-name">{name || host || url}</span>
                <span className="integration-line">{words.progress[state.name]}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function markOf(state: ConnectionView['state']['name']) {
  if (isWorking.has(state)) return 'busy';
  return state === 'failed' ? 'signInAgain' : 'signIn';
}
