import { Play, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { words } from '../words.ts';
import { bytesOf } from '../parts/bytes-of.ts';

/** Samples a second that are kept: a small file can be hours of silence. */
const sampleRate = 22_050;

/** Plays a sound of a server when the person says so, and from memory: our policy lets no page load one. */
export function SoundButton({ data, label }: { readonly data: string; readonly label: string }) {
  const playing = useRef<AudioContext>(undefined);
  const [state, setState] = useState<'silent' | 'playing' | 'broken'>('silent');
  const stop = (): void => {
    void playing.current?.close();
    playing.current = undefined;
  };
  useEffect(() => stop, []);
  const play = async (): Promise<void> => {
    const context = new AudioContext({ sampleRate });
    playing.current = context;
    setState('playing');
    try {
      const source = new AudioBufferSourceNode(context, {
        buffer: await context.decodeAudioData(bytesOf(data).buffer),
      });
      source.connect(context.destination);
      source.addEventListener('ended', () => setState('silent'));
      source.start();
    } catch {
      setState(playing.current === context ? 'broken' : 'silent');
    }
  };
  if (state === 'broken') return <p className="soft">{words.tools.broken(label)}</p>;
  const toggle = (): void => {
    if (state === 'silent') return void play();
    stop();
    setState('silent');
  };
  return (
    <Button icon={state === 'playing' ? Square : Play} onClick={toggle}>
      {state === 'playing' ? words.tools.stopSound : words.tools.play}
    </Button>
  );
}
