import { createContext, type ReactNode, use } from 'react';

export interface Fragment {
  name: string;
  /** Serialized. */
  input: string;
  isOfPage: boolean;
  children: ReactNode;
}

/** Server only: registers a fragment and returns a placeholder, which is replaced with its HTML after rendering. */
export type RegisterFragment = (fragment: Fragment) => string;

export const RegisterFragmentContext = createContext<RegisterFragment | null>(null);

interface CachedFragmentProps {
  /** Distinguishes fragments that render the same input differently. */
  name: string;
  /** Everything the fragment depends on, except the site, the layout and, with `ofPage`, the page's URL. */
  input: unknown;
  /** For a fragment that appears on one page only, or that contains the URL of its page. */
  ofPage?: boolean;
  children: ReactNode;
}

/**
 * On the server, the HTML is cached: by name and input for all pages, or by name and page until the input changes. The
 * children must not call `useId`: ids depend on the position in the tree, and hydration would find other ones. Text must
 * not stand next to it.
 */
export function CachedFragment({ name, input, ofPage = false, children }: CachedFragmentProps): ReactNode {
  const register = import.meta.env.SSR ? use(RegisterFragmentContext) : null;
  if (register === null) return children;
  const serialized = typeof input === 'string' ? input : JSON.stringify(input);
  return register({ name, input: serialized, isOfPage: ofPage, children });
}
