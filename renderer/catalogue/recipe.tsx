import type { KnownServer } from '../../shared/known-servers/known-server.ts';
import { CopyLine } from '../parts/copy-line.tsx';
import { postern } from '../postern.ts';
import { words } from '../words.ts';
import { OpenPage } from './open-page.tsx';
import './recipe.css';

interface RecipeProps {
  readonly server: KnownServer;
  /** Of the sign-in that asks for the app; without it there is nothing to copy yet. */
  readonly connectionId?: string;
}

/** How an app of one's own is created at a service that is known. */
export function Recipe({ server, connectionId }: RecipeProps) {
  const { app, name } = server;
  if (!app) return null;
  return (
    <section className="recipe" aria-label={words.catalogue.recipe(name)}>
      <h3>{words.catalogue.recipe(name)}</h3>
      <ol>
        {app.steps.map((step) => (
          <li key={step}>{words.catalogue.told(step)}</li>
        ))}
      </ol>
      {app.scopes && connectionId !== undefined && (
        <CopyLine
          label={words.catalogue.scopes}
          value={app.scopes.join(' ')}
          onCopy={async () => (await postern.app.copy({ kind: 'scopes', id: connectionId })).ok}
        />
      )}
      {connectionId === undefined ? (
        <p className="soft small">{words.catalogue.recipeLater}</p>
      ) : (
        <div className="row">
          <OpenPage server={server} page="app" label={words.catalogue.openApp(name)} />
        </div>
      )}
    </section>
  );
}
