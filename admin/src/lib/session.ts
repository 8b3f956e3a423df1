import { asCallError } from '@mozhan/client/errors.ts';
import { needsSignIn } from '@mozhan/client/failures.ts';
import { forgetSession } from '@mozhan/client/session.ts';

/** To the sign-in page and, from there, back here. */
export function leaveForSignIn(basePath: string): void {
  const here = location.pathname + location.search;
  location.replace(`${basePath}/login.html?way=password&redirect=${encodeURIComponent(here)}`);
}

/** Signing in anew leads through the change of a first password. */
export function leaveForNewPassword(basePath: string): void {
  forgetSession();
  leaveForSignIn(basePath);
}

/** True when the error means that one has to sign in, and one is on the way there. */
export function leaveIfSignedOut(error: unknown, basePath: string): boolean {
  if (needsSignIn(error)) leaveForSignIn(basePath);
  else if (asCallError(error)?.code === 'PASSWORD_CHANGE_REQUIRED') leaveForNewPassword(basePath);
  else return false;
  return true;
}
