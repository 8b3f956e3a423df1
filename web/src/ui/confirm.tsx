export interface ConfirmOptions {
  title: string;
  text?: string;
  /** Label of the confirm button. */
  action?: string;
  danger?: boolean;
}

/** Dialogs are shown one after the other. */
let previous: Promise<unknown> = Promise.resolve();

async function showConfirm(options: ConfirmOptions): Promise<boolean> {
  try {
    const { showConfirmDialog } = await import('./confirm-dialog.tsx');
    return await showConfirmDialog(options);
  } catch {
    // The dialog's code could not be loaded; fall back to the browser's own dialog.
    return window.confirm([options.title, options.text].filter(Boolean).join('\n'));
  }
}

/** Asks for confirmation before an action that is hard to undo. */
export function confirm(options: ConfirmOptions): Promise<boolean> {
  const result = previous.then(() => showConfirm(options));
  previous = result;
  return result;
}
