import { needsSignIn } from '@mozhan/client/error-display.ts';
import { asCallError } from '@mozhan/client/errors.ts';
import { clearSession } from '@mozhan/client/session.ts';

/** The sign-in page redirects back to the current URL. */
export function redirectToSignIn(basePath: string): void {
  const here = location.pathname + location.search;
  location.replace(`${basePath}/login.html?way=password&redirect=${encodeURIComponent(here)}`);
}

/** Signing in again starts the change of an initial password. */
export function redirectToPasswordChange(basePath: string): void {
  clearSession();
  redirectToSignIn(basePath);
}

/** Redirects and returns true when the error means that the user must sign in. */
export function redirectIfSignedOut(error: unknown, basePath: string): boolean {
  if (needsSignIn(error)) redirectToSignIn(basePath);
  else if (asCallError(error)?.code === 'PASSWORD_CHANGE_REQUIRED') redirectToPasswordChange(basePath);
  else return false;
  return true;
}
