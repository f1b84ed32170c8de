/** Ports that the way in over HTTP is looked for at, the first time. */
const first = 47_600;
const last = 47_699;

/** Them all, beginning anywhere: two people of one computer then seldom want the same. */
export function* portsToTry(random: number): Generator<number> {
  const count = last - first + 1;
  const start = Math.floor(random * count);
  for (let step = 0; step < count; step += 1) yield first + ((start + step) % count);
}
