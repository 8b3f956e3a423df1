import { createContext, type ReactNode, use } from 'react';

/** Of the server: takes a part to be rendered by itself, and gives what stands for it meanwhile. */
export type TakePart = (key: string, part: ReactNode) => string;

export const TakePartContext = createContext<TakePart | null>(null);

interface KeptPartProps {
  /** Different for parts that look different for the same `of`. */
  name: string;
  /** All that it shows, but for the site: with the same, it is the same. */
  of: unknown;
  children: ReactNode;
}

/** Rendered by the server once for all pages that show the same. It must not use `useId`, whose ids go by place. */
export function KeptPart({ name, of, children }: KeptPartProps): ReactNode {
  const take = import.meta.env.SSR ? use(TakePartContext) : null;
  return take === null ? children : take(name + JSON.stringify(of), children);
}
