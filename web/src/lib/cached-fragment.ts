import { createContext, type ReactNode, use } from 'react';

/** Server only: registers a fragment and returns a placeholder, which is replaced with its HTML after rendering. */
export type RegisterFragment = (key: string, fragment: ReactNode) => string;

export const RegisterFragmentContext = createContext<RegisterFragment | null>(null);

interface CachedFragmentProps {
  /** Distinguishes fragments that render the same input differently. */
  name: string;
  /** Everything the fragment depends on, except the site settings and the layout. */
  input: unknown;
  children: ReactNode;
}

/**
 * On the server, the HTML is cached by name and input and shared by all pages. The children must not call `useId`: ids
 * depend on the position in the tree, and hydration would find other ones.
 */
export function CachedFragment({ name, input, children }: CachedFragmentProps): ReactNode {
  const register = import.meta.env.SSR ? use(RegisterFragmentContext) : null;
  return register === null ? children : register(name + JSON.stringify(input), children);
}
