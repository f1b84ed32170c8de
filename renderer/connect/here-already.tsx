import { Blocks } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCatalogue } from '../catalogue/catalogue.ts';
import { Button } from '../parts/button.tsx';
import { ServiceIcon } from '../parts/service-icon.tsx';
import { useSnapshots } from '../store.ts';
import { show } from '../view.ts';
import { words } from '../words.ts';

interface HereAlreadyProps {
  /** No server is connected yet. */
  readonly isFirst: boolean;
  readonly onTry: (url: string) => void;
}

/** What can be connected without an address at hand: a practice server, and the servers of programs found here. */
export function HereAlready({ isFirst, onTry }: HereAlreadyProps) {
  const { here } = words.connect;
  const demo = useSnapshots((state) =>
    state.integrations?.some(({ url }) => url === state.app?.demo?.url) ? undefined : state.app?.demo,
  );
  const programs = useSnapshots((state) => state.programs) ?? [];
  const showsPrograms = isFirst && programs.length > 0;
  if (!demo && !showsPrograms) return null;
  return (
    <section className="section" aria-labelledby="here-title">
      <h2 id="here-title">{here.title}</h2>
      <ul className="here-list">
        {demo && (
          <HereRow
            icon={<ServiceIcon name={words.connect.demoName} />}
            title={words.connect.demoName}
            text={here.demo}
            button={here.tryDemo}
            onPress={() => onTry(demo.url)}
          />
        )}
        {showsPrograms && (
          <HereRow
            icon={<Blocks aria-hidden="true" size={20} />}
            title={here.programs(programs.map(({ name }) => name))}
            text={here.programsText}
            button={words.activity.toPrograms}
            onPress={() => show({ name: 'programs' })}
          />
        )}
      </ul>
    </section>
  );
}

interface FirstTryProps {
  /** Asks the server at this address. */
  readonly onCheck: (url: string) => void;
}

/** Where there is no practice server, as in a program that was installed: a service that asks nobody to sign in. */
export function FirstTry({ onCheck }: FirstTryProps) {
  const { here } = words.connect;
  const hasDemo = useSnapshots((state) => state.app?.demo !== undefined);
  const service = useCatalogue()
    ?.searchKnownServers('')
    .find(({ forPractice }) => forPractice);
  if (hasDemo || !service) return null;
  return (
    <section className="section" aria-labelledby="first-try-title">
      <h2 id="first-try-title">{here.firstTry}</h2>
      <ul className="here-list">
        <HereRow
          icon={<ServiceIcon name={service.name} />}
          title={service.name}
          text={here.firstTryText(words.catalogue.told(service.does))}
          button={here.tryDemo}
          onPress={() => onCheck(service.address)}
        />
      </ul>
    </section>
  );
}

interface HereRowProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly text: string;
  readonly button: string;
  readonly onPress: () => void;
}

function HereRow({ icon, title, text, button, onPress }: HereRowProps) {
  return (
    <li className="here-row">
      <span className="here-icon">{icon}</span>
      <div className="here-text">
        <p className="here-name">{title}</p>
        <p className="soft small">{text}</p>
      </div>
      <Button onClick={onPress}>{button}</Button>
    </li>
  );
}
