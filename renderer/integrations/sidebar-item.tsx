import type { LucideIcon } from 'lucide-react';

interface SidebarItemProps {
  readonly icon: LucideIcon;
  readonly label: string;
  /** Its page is open. */
  readonly isCurrent: boolean;
  /** The picture alone is seen. */
  readonly isFolded: boolean;
  readonly onPress: () => void;
}

/** A page of the window beside those of servers. */
export function SidebarItem({ icon: Icon, label, isCurrent, isFolded, onPress }: SidebarItemProps) {
  return (
    <button
      type="button"
      className="sidebar-item"
      title={isFolded ? label : undefined}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={onPress}
    >
      <Icon aria-hidden="true" size={15} />
      {label}
    </button>
  );
}
