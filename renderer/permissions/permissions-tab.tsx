import { useEffect } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import type { ToolView } from '../../shared/mcp-view.ts';
import { changedToolRules, levelOf, offers, toolPresets } from '../../shared/tool-permissions.ts';
import type { PermissionChange } from '../../shared/tool-permissions.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { CheckBox } from '../parts/check-box.tsx';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { RadioChoice } from '../parts/radio-choice.tsx';
import { Working } from '../parts/working.tsx';
import { postern } from '../postern.ts';
import { useUses } from '../used-servers.ts';
import { useSnapshots } from '../store.ts';
import { useCall } from '../use-call.ts';
import { lookedAt, useKept } from '../use-kept.ts';
import { words } from '../words.ts';
import { ChangedTools } from './changed-tools.tsx';
import { ToolRules } from './tool-rules.tsx';
import './permissions.css';

const everybody = '';
const atFirst = { program: everybody };

/** Which tools of a server programs may call: all of them, or one. */
export function PermissionsTab({ integration }: { readonly integration: IntegrationView }) {
  const { id, permissions, status } = integration;
  const [{ program: chosen }, look] = useKept(id, lookedAt('permissions'), atFirst);
  const programs = useSnapshots((state) => state.programs) ?? [];
  const forAll = useSnapshots((state) => state.app?.settings.changedTools) ?? 'show';
  const isUsed = useUses();
  const setting = useCall<null>();
  const listing = useCall<{ readonly tools: readonly ToolView[] }>();
  const isSignedOut = status.name === 'signIn' || status.name === 'signInAgain';
  const { run } = listing;
  useEffect(() => {
    if (!isSignedOut) void run(() => postern.integration.tools({ id }));
  }, [run, id, isSignedOut]);
  const { permits } = words;
  // Those that may use it, and those that something is set for.
  const own = new Set(permissions?.programs?.map(({ program }) => program));
  const named = programs.filter((each) => isUsed(each, id) || own.has(each.id));
  const unnamed = [...own].filter((each) => !named.some((program) => program.id === each));
  const options = [
    { value: everybody, label: permits.everybody },
    ...named.map((each) => ({ value: each.id, label: each.name })),
    ...unnamed.map((each) => ({ value: each, label: each })),
  ];
  const found = options.find(({ value }) => value === chosen) ?? options[0];
  const program = found && found.value !== everybody ? found.value : undefined;
  const level = program === undefined ? (permissions ?? {}) : levelOf(permissions, program);
  const whom = program === undefined ? {} : { program };
  const set = (change: PermissionChange): void => void setting.run(() => postern.permission.set({ id, ...change }));
  return (
    <div className="stack measure">
      <p className="soft">{permits.intro}</p>
      <ChangedTools integration={integration} listed={listing.value} />
      <Field label={permits.whom} {...(program !== undefined && { hint: permits.particular(found?.label ?? '') })}>
        {(field) => (
          <Choice
            {...field}
            value={found?.value ?? everybody}
            options={options}
            onChoose={(next) => look({ program: next })}
          />
        )}
      </Field>
      {setting.error && <ErrorNotice error={setting.error} actions={{ dismiss: setting.clear }} />}
      <section className="section" aria-label={permits.presets}>
        <h2>{permits.presets}</h2>
        <RadioChoice
          label={permits.presets}
          value={level.preset ?? 'everything'}
          options={toolPresets.map((preset) => ({
            value: preset,
            label: permits.preset[preset],
            hint: permits.presetHint[preset],
          }))}
          onChoose={(preset) => set({ ...whom, preset })}
        />
        <p className="soft small">{permits.hint}</p>
      </section>
      <section className="section" aria-label={permits.list}>
        <h2>{permits.list}</h2>
        {isSignedOut && <p className="soft">{permits.signInFirst}</p>}
        {listing.error && listing.error.message !== status.error?.message && (
          <ErrorNotice
            error={listing.error}
            actions={{ retry: () => void run(() => postern.integration.tools({ id })) }}
          />
        )}
        {listing.busy && !listing.value && <Working>{words.common.loading}</Working>}
        <ToolRules
          permissions={permissions}
          program={program}
          tools={listing.value?.tools}
          onRule={(tool, rule) => set({ ...whom, tool, rule })}
        />
      </section>
      <section className="section" aria-label={permits.offers}>
        <h2>{permits.offers}</h2>
        {offers.map((offer) => (
          <CheckBox
            key={offer}
            role="switch"
            label={permits.offer[offer]}
            checked={level.without?.includes(offer) !== true}
            hint={
              program !== undefined && permissions?.without?.includes(offer) === true ? permits.offForAll : undefined
            }
            onChange={(allowed) => set({ ...whom, offer, allowed })}
          />
        ))}
      </section>
      {program === undefined && (
        <section className="section" aria-label={permits.whenChanged}>
          <h2>{permits.whenChanged}</h2>
          <RadioChoice
            label={permits.whenChanged}
            value={permissions?.changedTools ?? ''}
            options={[
              { value: '', label: permits.asForAll(permits.changedRule[forAll]) },
              ...changedToolRules.map((rule) => ({
                value: rule,
                label: permits.changedRule[rule],
                hint: permits.changedRuleHint[rule],
              })),
            ]}
            onChoose={(rule) => set({ changedTools: rule === '' ? null : rule })}
          />
        </section>
      )}
      <p className="soft small">{permits.misled}</p>
    </div>
  );
}
