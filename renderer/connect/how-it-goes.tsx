import { useSnapshots } from '../store.ts';
import { words } from '../words.ts';
import './route-drawing.css';

const { ask, signIn, keep, keepInMemory } = words.connect.how;

/** For the first time: the way from an address to a connection, in three stops. */
export function HowItGoes() {
  const memoryOnly = useSnapshots((state) => state.app?.storage.memoryOnly);
  return (
    <ol className="route how" aria-label={words.connect.howTitle}>
      {[ask, signIn, memoryOnly ? keepInMemory : keep].map(([title, text], index, stops) => (
        <li className="route-stop" key={title}>
          <span className={`route-node${index === stops.length - 1 ? ' home' : ''}`} aria-hidden="true" />
          {index < stops.length - 1 && <span className="route-wire" aria-hidden="true" />}
          <span className="how-title">{title}</span>
          <span className="soft small">{text}</span>
        </li>
      ))}
    </ol>
  );
}
