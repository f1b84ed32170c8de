import type { IpcEvent } from '../shared/ipc-event.ts';

type Slices = Extract<IpcEvent, { event: 'snapshot' }>['slices'];

/**
 * Which servers are gone for good, so that what was typed for them is of no use any more. The list of servers and the
 * removals that can still be undone come slice by slice, in either order.
 */
export class GoneServers {
  /** Those for which something may have been typed. */
  readonly #known = new Set<string>();
  /** Main was asked to remove them, and has not answered: the list may tell of it before the removal does. */
  readonly #asked = new Set<string>();
  /** In a removal that is not over. */
  #leaving: ReadonlySet<string> = new Set();
  /** Their removal has gone without having ended: they are back, and the next list shows it. */
  readonly #returning = new Set<string>();
  #there: ReadonlySet<string> = new Set();
  #isReadable = true;

  ask(ids: readonly string[]): void {
    for (const id of ids) this.#asked.add(id);
  }

  /** `isBegun`: a removal of them will be told, or is told already. */
  answer(ids: readonly string[], isBegun: boolean): void {
    for (const id of ids) this.#asked.delete(id);
    if (isBegun) this.#leaving = new Set([...this.#leaving, ...ids]);
  }

  /** Answers those that have gone since the last time. */
  next({ app, integrations, deletions }: Slices): readonly string[] {
    if (app) this.#isReadable = !app.settingsTrouble;
    if (deletions) {
      const removals = deletions.filter(({ kind }) => kind === 'remove');
      const idsOf = (some: typeof removals): Set<string> => new Set(some.flatMap(({ servers }) => servers));
      const over = idsOf(removals.filter(({ state }) => state === 'done'));
      const leaving = idsOf(removals.filter(({ state }) => state !== 'done'));
      for (const id of this.#leaving) if (!leaving.has(id) && !over.has(id)) this.#returning.add(id);
      this.#leaving = leaving;
    }
    if (integrations) {
      this.#there = new Set(integrations.map(({ id }) => id));
      for (const id of this.#there) this.#known.add(id);
      this.#returning.clear();
    }
    if (!this.#isReadable) return [];
    const stays = [this.#there, this.#asked, this.#leaving, this.#returning];
    const gone = [...this.#known].filter((id) => !stays.some((each) => each.has(id)));
    for (const id of gone) this.#known.delete(id);
    return gone;
  }
}
