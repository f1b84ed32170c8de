import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import './menu.css';

export interface MenuEntry {
  readonly label: string;
  readonly onChoose: () => void;
  readonly isDanger?: boolean;
  /** Separated from the entries before it. */
  readonly isApart?: boolean;
}

export interface MenuPosition {
  readonly x: number;
  readonly y: number;
}

interface MenuProps {
  readonly label: string;
  readonly entries: readonly MenuEntry[];
  /** Preferred position; adjusted to stay inside the window. */
  readonly at: MenuPosition;
  readonly onClose: () => void;
}

/** Pixels from the edge of the window. */
const edge = 8;

/** Arrow keys, Home, End and first letters move; Enter selects; Esc, Tab and a click elsewhere close. Focus returns. */
export function Menu({ label, entries, at, onClose }: MenuProps) {
  const ref = useRef<HTMLDivElement>(null);
  const [position, setPosition] = useState(at);
  useLayoutEffect(() => {
    const menu = ref.current;
    if (!menu) return undefined;
    const { width, height } = menu.getBoundingClientRect();
    setPosition({ x: within(at.x, innerWidth - width), y: within(at.y, innerHeight - height) });
    const previousFocus = document.activeElement;
    itemsOf(menu)[0]?.focus();
    return () => {
      if (menu.contains(document.activeElement) && previousFocus instanceof HTMLElement) previousFocus.focus();
    };
  }, [at]);
  useEffect(() => {
    const onPress = (event: PointerEvent): void => {
      if (!ref.current?.contains(event.target as Node)) onClose();
    };
    window.addEventListener('pointerdown', onPress);
    window.addEventListener('resize', onClose);
    return () => {
      window.removeEventListener('pointerdown', onPress);
      window.removeEventListener('resize', onClose);
    };
  }, [onClose]);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const items = itemsOf(event.currentTarget);
    const target = targetOf(event.key, items);
    const isEnd = event.key === 'Escape' || event.key === 'Tab';
    if (isEnd) onClose();
    target?.focus();
    if (isEnd || target) event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={ref}
      className="menu"
      role="menu"
      aria-label={label}
      style={{ left: position.x, top: position.y }}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => event.preventDefault()}
    >
      {entries.map((entry) => (
        <button
          key={entry.label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          className={`menu-item${entry.isDanger ? ' danger' : ''}${entry.isApart ? ' apart' : ''}`}
          onClick={() => {
            entry.onChoose();
            onClose();
          }}
        >
          {entry.label}
        </button>
      ))}
    </div>
  );
}

function within(position: number, max: number): number {
  return Math.max(edge, Math.min(position, max - edge));
}

function itemsOf(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role=menuitem]')];
}

function targetOf(key: string, items: readonly HTMLElement[]): HTMLElement | undefined {
  const current = items.findIndex((item) => item === document.activeElement);
  if (key === 'ArrowDown') return items[(current + 1) % items.length];
  if (key === 'ArrowUp') return items.at(current <= 0 ? -1 : current - 1);
  if (key === 'Home') return items[0];
  if (key === 'End') return items.at(-1);
  if (key.length !== 1 || key === ' ') return undefined;
  const after = [...items.slice(current + 1), ...items.slice(0, current + 1)];
  return after.find((item) => item.textContent.toLowerCase().startsWith(key.toLowerCase()));
}
