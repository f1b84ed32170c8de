import { Button } from '../parts/button.tsx';
import { words } from '../words.ts';

/** The first thing to try, where a demo server runs. */
export function DemoOffer({ onTry }: { readonly onTry: () => void }) {
  return (
    <section className="demo" aria-labelledby="demo-title">
      <div>
        <h2 id="demo-title">{words.connect.demoTitle}</h2>
        <p className="soft">{words.connect.demoText}</p>
      </div>
      <Button onClick={onTry}>{words.connect.demoButton}</Button>
    </section>
  );
}
