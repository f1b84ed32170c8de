interface Place {
  readonly host: string;
  readonly port: number;
}

interface Shared<Member, Opened> {
  readonly members: Set<Member>;
  readonly opening: Promise<Opened>;
}

/**
 * What is opened at a place is opened once for all of this process who want it there at one time: `open` is told who
 * they are, now and later. The last one that ends gives the place up. Errors: those of `open`.
 */
export function shareOpen<At extends Place, Member, Opened extends { readonly close: () => Promise<void> }>(
  open: (at: At, members: ReadonlySet<Member>) => Promise<Opened>,
): (at: At, member: Member) => Promise<Opened> {
  const shared = new Map<string, Shared<Member, Opened>>();
  const closing = new Map<string, Promise<void>>();

  async function leave(key: string, { members, opening }: Shared<Member, Opened>, member: Member): Promise<void> {
    if (!members.delete(member) || members.size > 0) return;
    shared.delete(key);
    const closed = opening.then(
      (opened) => opened.close(),
      () => {},
    );
    closing.set(key, closed);
    await closed;
    closing.delete(key);
  }

  return async (at, member) => {
    const key = `${at.host} ${at.port}`;
    for (let last = closing.get(key); last; last = closing.get(key)) await last;
    const members = new Set<Member>();
    const there = shared.get(key) ?? { members, opening: open(at, members) };
    shared.set(key, there);
    there.members.add(member);
    try {
      const opened = await there.opening;
      return { ...opened, close: () => leave(key, there, member) };
    } catch (error) {
      await leave(key, there, member);
      throw error;
    }
  };
}
