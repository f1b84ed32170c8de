import type { IntegrationView } from '../../shared/integration-view.ts';
import { holdsChanges, isOffered, levelOf, offers, toolPresets } from '../../shared/tool-permissions.ts';
import { withChangedToolRule } from '../../shared/changed-tool-rule.ts';
import { Button } from '../parts/button.tsx';
import { useSnapshots } from '../store.ts';
import { keepAs, lookedAt } from '../use-kept.ts';
import { showIntegration } from '../view.ts';
import { words } from '../words.ts';

interface ServerPermissionsProps {
  readonly integration: IntegrationView;
  /** Of the table of programs. */
  readonly program: string;
}

/** What one program may call of one server, in a line that leads to where it is set. */
export function ServerPermissions({ integration: { id, name, permissions }, program }: ServerPermissionsProps) {
  const { summary, summaryOf } = words.permits;
  const forAll = useSnapshots((state) => state.app?.settings.changedTools);
  const levels = [permissions ?? {}, levelOf(permissions, program)];
  const strictest = toolPresets.findLast((preset) => levels.some((level) => level.preset === preset)) ?? 'everything';
  const ruled = (rule: 'ask' | 'deny'): number =>
    new Set(levels.flatMap(({ rules = [] }) => rules.flatMap((each) => (each.rule === rule ? [each.tool] : [])))).size;
  const said = [
    summary.preset[strictest],
    ...(ruled('deny') > 0 ? [summary.denied(ruled('deny'))] : []),
    ...(ruled('ask') > 0 ? [summary.asking(ruled('ask'))] : []),
    ...offers.flatMap((offer) => (isOffered(permissions, program, offer) ? [] : [summary.without[offer]])),
    ...(holdsChanges(withChangedToolRule(permissions, forAll)) ? [summary.holds] : []),
  ].join(', ');
  return (
    <Button
      kind="quiet"
      aria-label={summaryOf(name, said)}
      onClick={() => {
        keepAs(id, lookedAt('permissions'), { program });
        showIntegration(id, 'permissions');
      }}
    >
      {said}
    </Button>
  );
}
