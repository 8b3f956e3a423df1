import type { ReactNode } from 'react';
import styles from './icon.module.css';

/** Drawn on 24 × 24 with an open stroke. */
const shapes = {
  apps: (
    <>
      <rect x="4" y="4" width="6.5" height="6.5" rx="1.5" />
      <rect x="13.5" y="4" width="6.5" height="6.5" rx="1.5" />
      <rect x="4" y="13.5" width="6.5" height="6.5" rx="1.5" />
      <rect x="13.5" y="13.5" width="6.5" height="6.5" rx="1.5" />
    </>
  ),
  check: <path d="m5 12.5 4.5 4.5L19 7.5" />,
  chip: (
    <>
      <rect x="7" y="7" width="10" height="10" rx="1.5" />
      <path d="M10 3.5V7M14 3.5V7M10 17v3.5M14 17v3.5M3.5 10H7M3.5 14H7M17 10h3.5M17 14h3.5" />
    </>
  ),
  close: <path d="m6 6 12 12M18 6 6 18" />,
  code: <path d="m8.5 7-5 5 5 5M15.5 7l5 5-5 5" />,
  copy: (
    <>
      <rect x="8.5" y="8.5" width="11.5" height="11.5" rx="2" />
      <path d="M5.5 15.5H5A1.5 1.5 0 0 1 3.5 14V5A1.5 1.5 0 0 1 5 3.5h9A1.5 1.5 0 0 1 15.5 5v.5" />
    </>
  ),
  eye: (
    <>
      <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z" />
      <circle cx="12" cy="12" r="2.8" />
    </>
  ),
  eyeOff: (
    <>
      <path d="M9.2 5.9A9 9 0 0 1 12 5.5C18 5.5 21.5 12 21.5 12a17 17 0 0 1-2.7 3.5M5.6 7.7C3.6 9.6 2.5 12 2.5 12S6 18.5 12 18.5a9 9 0 0 0 4.3-1.1" />
      <path d="M10 10a2.8 2.8 0 0 0 4 4M4 4l16 16" />
    </>
  ),
  left: <path d="m14.5 6.5-5.5 5.5 5.5 5.5" />,
  lock: (
    <>
      <rect x="5" y="10.5" width="14" height="9.5" rx="2" />
      <path d="M8 10.5V8a4 4 0 0 1 8 0v2.5M12 14.5v2" />
    </>
  ),
  logout: <path d="M10 4H5.5v16H10M15 8l4 4-4 4M19 12H9.5" />,
  moon: <path d="M20 14.2A8.2 8.2 0 0 1 9.8 4a8.2 8.2 0 1 0 10.2 10.2z" />,
  ok: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="m8.5 12.3 2.5 2.5 4.7-5" />
    </>
  ),
  phone: (
    <>
      <rect x="7" y="3" width="10" height="18" rx="2.5" />
      <path d="M11 18h2" />
    </>
  ),
  qr: (
    <>
      <rect x="4" y="4" width="6" height="6" rx="1" />
      <rect x="14" y="4" width="6" height="6" rx="1" />
      <rect x="4" y="14" width="6" height="6" rx="1" />
      <path d="M14 14h2.5v2.5M20 14v2.5M14 20h2.5M20 20v.01" />
    </>
  ),
  quiet: (
    <path d="M20.5 11.5a7.5 7.5 0 0 1-8.5 7.4A9 9 0 0 1 8.8 18.3L4 19.5l1.3-4a7.5 7.5 0 1 1 15.2-4zM9 9l5.5 5.5M14.5 9 9 14.5" />
  ),
  refresh: (
    <path d="M19.5 11A7.5 7.5 0 0 0 6 7.5L4 9.5M4 5v4.5h4.5M4.5 13A7.5 7.5 0 0 0 18 16.5l2-2M20 19v-4.5h-4.5" />
  ),
  shield: <path d="M12 3.5 5 6v5.5c0 4.3 2.9 7.5 7 9 4.1-1.5 7-4.7 7-9V6zM9 12l2.2 2.2L15 10" />,
  sun: (
    <>
      <circle cx="12" cy="12" r="4" />
      <path d="M12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M5.6 18.4l1.1-1.1M17.3 6.7l1.1-1.1" />
    </>
  ),
  warn: <path d="M12 4 2.8 19.5h18.4zM12 10v4.5M12 17v.01" />,
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof shapes;

/** Always beside a text or inside a labelled control, so it says nothing to screen readers. */
export function Icon({ name, small = false }: { name: IconName; small?: boolean }) {
  return (
    <svg className={small ? styles.small : styles.icon} viewBox="0 0 24 24" aria-hidden="true">
      {shapes[name]}
    </svg>
  );
}
