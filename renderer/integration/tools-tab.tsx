import { RefreshCw, TriangleAlert } from 'lucide-react';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { isSameError } from '../../shared/error-traits.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { IconButton } from '../components/button.tsx';
import { TextInput } from '../components/field.tsx';
import { Working } from '../components/notice.tsx';
import { targetOfKey } from '../components/use-visible-rows.ts';
import { postern, useCall } from '../postern.ts';
import type { Call } from '../postern.ts';
import { describeKnown, useKnownTools } from '../permissions/known-tools.ts';
import { recordTools } from '../store.ts';
import { viewStateKey, useRetainedState } from '../use-retained-state.ts';
import { formatMoment, words } from '../words.ts';
import { CapabilityDetail } from './capability-detail.tsx';
import { listCapabilities, capabilityKinds, fromTool } from './capabilities.ts';
import type { ToolsTabState, Capability, CapabilityKind, CapabilityListing } from './capabilities.ts';
import { UnusableParts } from './result-view.tsx';
import './tools-tab.css';
import { subscribeToServer } from './runs.ts';

const initialState: ToolsTabState = { kind: 'tools', search: '' };

/** A server's capabilities: the list on one side, the selected one with a form to try it on the other. */
export function ToolsTab({ integration }: { readonly integration: IntegrationView }) {
  const { id } = integration;
  const [{ kind, search, chosen }, setTab] = useRetainedState(id, viewStateKey('tools'), initialState);
  const { list, changedAt, reload, isSignedOut } = useCapabilities(integration, kind, (found) => {
    // With room for both columns (tools-tab.css), select the first one.
    if (matchMedia('(width >= 860px)').matches)
      setTab((before) => ({ ...before, chosen: before.chosen ?? found.items[0]?.name }));
  });
  const choose = (next: CapabilityKind): void => {
    list.clear();
    setTab({ ...initialState, kind: next });
  };
  const isUnusable = list.value === undefined && (list.error !== undefined || integration.status.name !== 'ready');
  const known = useKnownTools(id, isUnusable && kind === 'tools' && !isSignedOut);
  const knownTools = useMemo(() => known?.tools.map(fromTool), [known]);
  if (isSignedOut) return <p className="soft">{words.tools.signInFirst}</p>;
  const query = search.toLowerCase();
  const capabilities = (list.value?.items ?? knownTools ?? []).filter((capability) => capability.kind === kind);
  const found = capabilities.filter((capability) =>
    `${capability.name} ${capability.title} ${capability.description}`.toLowerCase().includes(query),
  );
  const current = capabilities.find((capability) => capability.name === chosen);
  return (
    <div className="stack">
      <div className="row tools-bar">
        <div className="segments" role="radiogroup" aria-label={words.tools.kindsLabel}>
          {capabilityKinds.map((name) => (
            <label className="segment" key={name}>
              <input type="radio" name="capability-kind" checked={kind === name} onChange={() => choose(name)} />
              {words.tools.kinds[name]}
            </label>
          ))}
        </div>
        <TextInput
          type="search"
          className="push tools-search"
          value={search}
          placeholder={words.tools.search}
          aria-label={`${words.tools.search}: ${words.tools.kinds[kind]}`}
          onChange={(event) => setTab((before) => ({ ...before, search: event.target.value }))}
        />
        <IconButton icon={RefreshCw} label={words.tools.refresh} disabled={list.busy} onClick={reload} />
      </div>
      {changedAt !== undefined && (
        <p role="status" className="faint small">
          {words.tools.listChanged(formatMoment(changedAt, Date.now()))}
        </p>
      )}
      {list.error && !isSameError(list.error, integration.status.error) && (
        <ErrorNotice
          error={list.error}
          actions={{
            retry: reload,
            signIn: () => void postern.integration.signInAgain({ id }),
            grant: () => void postern.integration.signInAgain({ id }),
          }}
        />
      )}
      {known && (
        <p role="status" className="soft">
          {describeKnown(known)}
        </p>
      )}
      {list.busy && capabilities.length === 0 && <Working>{words.common.loading}</Working>}
      {!list.busy && list.value && capabilities.length === 0 && <p className="soft">{words.tools.none[kind]}</p>}
      {list.value?.isPartial === true && <p className="soft">{words.tools.partial[kind]}</p>}
      <UnusableParts parts={list.value?.unusable} />
      {query !== '' && found.length < capabilities.length && (
        <p role="status" className="soft small">
          {words.tools.shownOf(found.length, capabilities.length)}
        </p>
      )}
      {capabilities.length > 0 && (
        <div className={`capabilities${current ? ' chosen' : ''}`}>
          <CapabilityList
            capabilities={found}
            chosen={chosen}
            onChoose={(name) => setTab((before) => ({ ...before, chosen: name }))}
          />
          <div className="capability-side">
            {current ? (
              <CapabilityDetail
                key={current.name}
                integrationId={id}
                signedInAt={integration.signedInAt}
                capability={current}
                isUsable={known === undefined}
                onBack={() => setTab((before) => ({ ...before, chosen: undefined }))}
              />
            ) : (
              <p className="faint capability-hint">{words.tools.choose}</p>
            )}
          </div>
        </div>
      )}
    </div>
  );
}

interface CapabilityListProps {
  readonly capabilities: readonly Capability[];
  readonly chosen: string | undefined;
  readonly onChoose: (name: string) => void;
}

/** A single Tab stop; arrow keys move the selection. */
function CapabilityList({ capabilities, chosen, onChoose }: CapabilityListProps) {
  const listId = useId();
  const list = useRef<HTMLUListElement>(null);
  if (capabilities.length === 0) return <p className="soft">{words.tools.nothingFound}</p>;
  const current = capabilities.findIndex((capability) => capability.name === chosen);
  const move = (event: KeyboardEvent): void => {
    const target = targetOfKey(event.key, current, undefined, capabilities.length);
    const capability = target === undefined ? undefined : capabilities[target];
    if (target === undefined || capability === undefined) return;
    event.preventDefault();
    onChoose(capability.name);
    list.current?.children[target]?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <ul
      ref={list}
      className="capability-list"
      role="listbox"
      tabIndex={0}
      aria-label={words.tools.kinds[capabilities[0]?.kind ?? 'tools']}
      aria-activedescendant={current === -1 ? undefined : `${listId}-${current}`}
      onKeyDown={move}
    >
      {capabilities.map((capability, index) => (
        <li
          id={`${listId}-${index}`}
          key={capability.name}
          role="option"
          aria-selected={index === current}
          className="capability"
          onClick={() => onChoose(capability.name)}
        >
          <span className="capability-title">
            {capability.title}
            {capability.destructive && (
              <span className="capability-danger" title={words.tools.destructive}>
                <TriangleAlert aria-hidden="true" size={13} />
                <span className="hidden">, {words.tools.destructive}</span>
              </span>
            )}
          </span>
          {capability.title !== capability.name && <span className="capability-name">{capability.name}</span>}
        </li>
      ))}
    </ul>
  );
}

interface CapabilityState {
  readonly list: Call<CapabilityListing>;
  /** When the server last reported that this list changed. Milliseconds since 1970. */
  readonly changedAt: number | undefined;
  readonly reload: () => void;
  readonly isSignedOut: boolean;
}

/** Lists a server's capabilities of one kind, and again whenever the server reports a change. */
function useCapabilities(
  integration: IntegrationView,
  kind: CapabilityKind,
  onListed: (found: CapabilityListing) => void,
): CapabilityState {
  const { id } = integration;
  const list = useCall<CapabilityListing>();
  const { run } = list;
  const listKey = `${id} ${kind}`;
  const [change, setChange] = useState({ listKey, at: 0 });
  const { name: status } = integration.status;
  const isSignedOut = status === 'signIn' || status === 'signInAgain';
  const listed = useRef('');
  const lastListing = useRef<CapabilityListing>(undefined);
  const record = (found: CapabilityListing | undefined): void => {
    if (!found) return;
    listed.current = listKey;
    lastListing.current = found;
    if (kind === 'tools') recordTools(id, found.items);
    onListed(found);
  };
  // Subscribe before listing, or a change in between would be missed.
  useEffect(() => {
    if (isSignedOut || status === 'offline') return undefined;
    return subscribeToServer(id, { list: kind }, (occasion) => {
      if (occasion === 'first') return;
      void listCapabilities(kind, id, true).then(async (result) => {
        // On failure keep the shown list; the server's status reports what is wrong.
        if (!result.ok || listed.current !== listKey) return;
        const isDifferent =
          occasion === 'changed' || JSON.stringify(result.value) !== JSON.stringify(lastListing.current);
        if (isDifferent) setChange({ listKey, at: Date.now() });
        record(await run(async () => result));
      });
    });
  }, [run, kind, id, status, isSignedOut]);
  useEffect(() => {
    // Keep the list visible while the server is offline.
    if (isSignedOut || (status === 'offline' && listed.current === listKey)) return;
    void run(() => listCapabilities(kind, id)).then(record);
  }, [run, kind, id, status, isSignedOut]);
  return {
    list,
    changedAt: change.listKey === listKey && change.at > 0 ? change.at : undefined,
    reload: () => void run(() => listCapabilities(kind, id)),
    isSignedOut,
  };
}
