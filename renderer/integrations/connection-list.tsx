import { useShallow } from 'zustand/shallow';
import { isCheck, useSnapshots } from '../store.ts';
import { show, useView } from '../view.ts';
import { words } from '../words.ts';
import { StatusMark } from './status-mark.tsx';

/** New servers that have answered stay in reach while something else is looked at; one in the list says so in its row. */
export function ConnectionList() {
  const connections = useSnapshots(
    useShallow(({ connections: all = [], integrations = [] }) =>
      all.filter(
        (connection) =>
          connection.turn !== 'over' &&
          !isCheck(connection) &&
          !integrations.some(({ id }) => id === connection.integrationId),
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
          const { id, state, turn, name, host, url, credentialsRequest } = connection;
          // It stopped for a mistake of the service: no client ID is needed.
          const progress = credentialsRequest?.tryAgain ? 'failed' : state.name;
          const isCurrent = view.name === 'connect' && view.connectionId === id;
          return (
            <li key={id}>
              <button
                type="button"
                className="sidebar-item connection"
                aria-current={isCurrent ? 'page' : undefined}
                onClick={() => show({ name: 'connect', connectionId: id })}
              >
                <StatusMark status={marks[turn]} />
                <span className="integration-name">{name || host || url}</span>
                <span className="integration-line">{words.progress[progress]}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const marks = { postern: 'busy', person: 'signIn', stopped: 'signInAgain', over: 'ready' } as const;
