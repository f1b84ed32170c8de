import { HeldCalls } from '../../desktop/asking/held-calls.ts';
import { limitNotices } from '../../desktop/asking/notices.ts';
import { ShownQuestions } from '../../desktop/asking/shown-questions.ts';
import { UseQuestions } from '../../desktop/asking/use-questions.ts';
import type { DesktopContext } from '../../desktop/desktop-context.ts';

/** All that asks the person something which programs or servers want. */
export function composeAsking({
  ports: { clock },
  shell,
  changed,
}: Pick<DesktopContext, 'ports' | 'shell' | 'changed'>): Pick<
  DesktopContext,
  'questions' | 'heldCalls' | 'serverQuestions'
> {
  const notify = limitNotices((notice) => shell.notify(notice), clock);
  return {
    questions: new UseQuestions({ clock, notify, onChange: () => changed('approvals') }),
    // Each is over in less than a minute: it cannot wait until another notice is due.
    heldCalls: new HeldCalls({
      clock,
      notify: (notice) => shell.notify(notice),
      onChange: () => changed('heldCalls'),
    }),
    serverQuestions: new ShownQuestions({ clock, shell, notify, onChange: () => changed('questions') }),
  };
}
