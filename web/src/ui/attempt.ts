import { messageOf } from '@mozhan/client/errors.ts';
import { toast } from './toast.tsx';

/** Runs it and says why it failed; false when it did. */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    toast(messageOf(error), 'warn');
    return false;
  }
}
