import { errorMessageOf } from '@mozhan/client/errors.ts';
import { toast } from './toast.tsx';

/** Shows the error message as a toast and returns false if the work fails. */
export async function runWithErrorToast(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    toast(errorMessageOf(error), 'warn');
    return false;
  }
}
