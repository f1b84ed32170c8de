import { useEffect, useState } from 'react';

/** Milliseconds during which input is ignored: clicks and keystrokes meant for something else must not answer. */
const guardPeriod = 1_000;

/** Whether a question can be answered: only after it has been visible for a moment. */
export function useAnswerGuard(): boolean {
  const [canAnswer, setCanAnswer] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const guard = (): void => {
      clearTimeout(timer);
      setCanAnswer(false);
      timer = setTimeout(() => setCanAnswer(true), guardPeriod);
    };
    guard();
    // A window that was covered or minimized shows it only now.
    document.addEventListener('visibilitychange', guard);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', guard);
    };
  }, []);
  return canAnswer;
}
