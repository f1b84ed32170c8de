import { useShallow } from 'zustand/shallow';
import type { ConnectionView } from '../../shared/connection-view.ts';
import { useSnapshots } from '../store.ts';
import { show, useView } from '../view.ts';
import { words } from '../words.ts';
import { StatusMark } from './status-mark.tsx';

const isWorking = new Set<ConnectionView['state']['name']>([
  'discovering',
  'registering',
  'exchanging',
  'ticketIssued',
]);

/** New servers on their way in stay in reach while something else is looked at; the row of one that is in says so itself. */
export function ConnectionList() {
  const connections = useSnapshots(
    useShallow(({ connections: all = [], integrations = [] }) =>
      all.filter(
        ({ state, integrationId }) =>
          state.name !== 'integrated' && !integrations.some(({ id }) => id === integrationId),
      ),
    ),
  );
  const view = useView((state) => state.view);
  if (connections.length === 0) return null;
  return (
    <div className="connection-list">
      <h2 className="sidebar-title">{words.sidebar.inProgress}</h2>
      <ul>
        {connections.map((connection) => {
          const { id, state, name, host, url } = connection;
          const isCurrent = view.name === 'connect' && view.connectionId === id;
          return (
            <li key={id}>
              <button
                type="button"
                className="sidebar-item connection"
                aria-current={isCurrent ? 'page' : undefined}
                onClick={() => show({ name: 'connect', connectionId: id })}
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
