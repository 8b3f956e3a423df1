import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon-set.tsx';

interface MenuItemProps {
  icon: IconName;
  onClick: () => unknown;
  children: ReactNode;
}

export const MenuItem = ({ icon, onClick, children }: MenuItemProps) => (
  <li>
    <button type="button" onClick={() => void onClick()}>
      <Icon name={icon} small />
      {children}
    </button>
  </li>
);
