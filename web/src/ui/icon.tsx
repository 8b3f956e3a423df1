import styles from './icon.module.css';

/**
 * SVG paths on a 24 × 24 grid, stroked. These icons are in the initial bundle of every page; `icon-set.tsx` contains
 * these and all others.
 */
export const coreIcons = {
  apps: 'M4 4h6.5v6.5H4zM13.5 4H20v6.5h-6.5zM4 13.5h6.5V20H4zM13.5 13.5H20V20h-6.5z',
  bell: 'M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15zM10 21h4',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  chip: 'M7 7h10v10H7zM10 3.5V7M14 3.5V7M10 17v3.5M14 17v3.5M3.5 10H7M3.5 14H7M17 10h3.5M17 14h3.5',
  close: 'm6 6 12 12M18 6 6 18',
  code: 'm8.5 7-5 5 5 5M15.5 7l5 5-5 5',
  copy: 'M8.5 8.5H20V20H8.5zM5.5 15.5h-2v-12h12v2',
  home: 'M4 11.5 12 4.5l8 7M6 10v9.5h12V10M10 19.5v-5h4v5',
  link: 'M10 14a4 4 0 0 0 5.7 0l3.1-3.1a4 4 0 0 0-5.7-5.7L12 6.3M14 10a4 4 0 0 0-5.7 0l-3.1 3.1a4 4 0 0 0 5.7 5.7l1.1-1.1',
  moon: 'M20 14.2A8.2 8.2 0 0 1 9.8 4a8.2 8.2 0 1 0 10.2 10.2z',
  ok: 'M3.5 12a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0 -17 0zM8.5 12.3l2.5 2.5 4.7-5',
  page: 'M6 3.5h8l4 4v13H6zM14 3.5v4h4M9 12h6M9 15.5h6',
  pen: 'M4 20l1-4.5L16.5 4a2.1 2.1 0 0 1 3 3L8.5 19zM14.5 6l3.5 3.5',
  quiet:
    'M20.5 11.5a7.5 7.5 0 0 1-8.5 7.4A9 9 0 0 1 8.8 18.3L4 19.5l1.3-4a7.5 7.5 0 1 1 15.2-4zM9 9l5.5 5.5M14.5 9 9 14.5',
  refresh: 'M19.5 11A7.5 7.5 0 0 0 6 7.5L4 9.5M4 5v4.5h4.5M4.5 13A7.5 7.5 0 0 0 18 16.5l2-2M20 19v-4.5h-4.5',
  search: 'M4.5 11a6.5 6.5 0 1 0 13 0a6.5 6.5 0 1 0 -13 0zM16 16l4.5 4.5',
  shield: 'M12 3.5 5 6v5.5c0 4.3 2.9 7.5 7 9 4.1-1.5 7-4.7 7-9V6zM9 12l2.2 2.2L15 10',
  star: 'm12 4 2.5 5.1 5.5.8-4 3.9.95 5.5L12 16.7l-4.95 2.6.95-5.5-4-3.9 5.5-.8z',
  sun: 'M8 12a4 4 0 1 0 8 0a4 4 0 1 0 -8 0zM12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M5.6 18.4l1.1-1.1M17.3 6.7l1.1-1.1',
  users:
    'M5.5 8.5a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0zM2.5 19.5c.3-3.8 2.8-6 6.5-6s6.2 2.2 6.5 6M15.5 5.3a3.5 3.5 0 0 1 0 6.4M17.5 13.9c2.3.7 3.7 2.6 4 5.6',
  warn: 'M12 4 2.8 19.5h18.4zM12 10v4.5M12 17v.01',
};

export type IconName = keyof typeof coreIcons;

interface ShapeProps {
  path: string;
  small?: boolean;
}

/** Hidden from screen readers, because it is always next to a text or inside a labelled control. */
export const IconSvg = ({ path, small = false }: ShapeProps) => (
  <svg className={small ? styles.small : styles.icon} viewBox="0 0 24 24" aria-hidden="true">
    <path d={path} />
  </svg>
);

export const Icon = ({ name, small }: { name: IconName; small?: boolean }) => (
  <IconSvg path={coreIcons[name]} small={small} />
);

/** Operators choose a category's icon by name; an unknown name falls back to 'code'. */
export const CategoryIcon = ({ name }: { name: string }) => (
  <Icon name={name in coreIcons ? (name as IconName) : 'code'} />
);
