import { useEffect, useRef } from 'react';
import type { ClipboardEvent, FormEvent, KeyboardEvent } from 'react';
import type { ConnectionView } from '../../shared/connection-view.ts';
import type { KnownServer } from '../../shared/known-servers/known-server.ts';
import { readPasted } from '../../shared/pasted/read-pasted.ts';
import { Button } from '../components/button.tsx';
import { CheckBox } from '../components/check-box.tsx';
import { Field, TextInput } from '../components/field.tsx';
import { postern } from '../postern.ts';
import { isCheck } from '../store.ts';
import { words } from '../words.ts';
import { forgetAddress, ownerOfAddress } from './use-address.ts';
import type { Address } from './use-address.ts';
import type { ConnectInput } from './use-connect-input.ts';

interface AddressFormProps {
  readonly connection: ConnectionView | undefined;
  readonly address: Address;
  readonly input: Pick<ConnectInput, 'submitText' | 'choose' | 'forget' | 'note'>;
  readonly busy: boolean;
  /** The first of the services below, which Enter opens. */
  readonly marked: KnownServer | undefined;
  /** The chosen service below has the next step. */
  readonly isAside: boolean;
}

/** Arrow Down moves from the search field to the results. */
function toTiles(event: KeyboardEvent): void {
  const tile = event.key === 'ArrowDown' ? document.querySelector<HTMLElement>('.service-tile[tabindex="0"]') : null;
  if (!tile) return;
  event.preventDefault();
  tile.focus();
}

/** Pasted text is checked at once; typed text on Enter, since a partial address may belong to another server. */
export function AddressForm({ connection, address, input, busy, marked, isAside }: AddressFormProps) {
  const { text, local, enter } = address;
  // Main knows the other options and which server they apply to.
  const options = { local };
  const field = useRef<HTMLInputElement>(null);
  const owner = ownerOfAddress(connection);
  const previousOwner = useRef(owner);
  // From a connection in the sidebar to a new one.
  useEffect(() => {
    if (previousOwner.current !== owner && connection === undefined) {
      field.current?.focus();
      field.current?.closest('.pane')?.scrollTo({ top: 0 });
    }
    previousOwner.current = owner;
  }, [owner, connection]);

  const read = readPasted(text);
  const url = read.kind === 'address' || read.kind === 'list' ? read.url : undefined;
  const willCheck = url === undefined || url === text.trim() ? undefined : words.connect.willCheck(url);
  const understood = marked ? words.connect.willOpen(marked.name) : willCheck;

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (marked) input.choose({ server: marked, hasMoved: false });
    else input.submitText(text, options);
  };
  const paste = (event: ClipboardEvent<HTMLInputElement>): void => {
    const clip = event.clipboardData.getData('text');
    const pasted = readPasted(clip);
    const { selectionStart, selectionEnd, value } = event.currentTarget;
    const isWhole = selectionStart === 0 && selectionEnd === value.length;
    if (pasted.kind === 'nothing' || pasted.kind === 'name' || (pasted.kind === 'address' && !isWhole)) return;
    event.preventDefault();
    // Never put a key or a page of text into the field.
    if (pasted.kind === 'address' || pasted.kind === 'list') enter({ text: pasted.url ?? '' });
    input.submitText(clip, options);
  };
  const startOver = (check: ConnectionView): void => {
    forgetAddress(check);
    void postern.connection.cancel({ id: check.id });
    field.current?.focus();
  };
  return (
    // During a sign-in it shows the address, and the card below stays in place.
    <form className="stack address-form" inert={connection?.hasStarted} onSubmit={submit}>
      <Field id="address" label={words.connect.address} hint={understood}>
        {(control) => (
          <div className="address-line">
            <TextInput
              {...control}
              className="address"
              autoFocus
              inputMode="url"
              maxLength={16_384}
              readOnly={connection?.hasStarted}
              ref={field}
              value={text}
              placeholder={words.connect.placeholder}
              onChange={(event) => {
                enter({ text: event.target.value });
                input.forget();
              }}
              onPaste={paste}
              onKeyDown={toTiles}
            />
            {!isAside && (
              <Button
                type="submit"
                // For a server that is already connected, the next step is to open it.
                kind={connection === undefined && input.note?.kind !== 'known' ? 'primary' : 'plain'}
                busy={busy || connection?.state.name === 'discovering'}
              >
                {connection === undefined ? words.connect.continue : words.connect.checkAgain}
              </Button>
            )}
            {connection && isCheck(connection) && connection.state.name !== 'discovering' && (
              <Button kind="quiet" onClick={() => startOver(connection)}>
                {words.connect.startOver}
              </Button>
            )}
          </div>
        )}
      </Field>
      {(url !== undefined || local) && !isAside && (
        <CheckBox
          checked={local}
          onChange={(ticked) => enter({ local: ticked })}
          label={words.connect.local}
          hint={connection ? undefined : words.connect.localHint}
        />
      )}
    </form>
  );
}
