export interface Question {
  title: string;
  text?: string;
  /** The verb on the button that says yes. */
  action?: string;
  danger?: boolean;
}

/** One question after the other. */
let last: Promise<unknown> = Promise.resolve();

async function ask(question: Question): Promise<boolean> {
  try {
    const { askInDialog } = await import('./confirm-dialog.tsx');
    return await askInDialog(question);
  } catch {
    // The dialog's code did not arrive; the browser's own asks as well.
    return window.confirm([question.title, question.text].filter(Boolean).join('\n'));
  }
}

/** Asks before something is done that is not easily undone. */
export function confirm(question: Question): Promise<boolean> {
  const answer = last.then(() => ask(question));
  last = answer;
  return answer;
}
