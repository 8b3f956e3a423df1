/** What was typed into the form, kept for this tab until it is sent. */
export interface Draft {
  realName: string;
  field: string;
  intro: string;
  works: string[];
  contact: string;
}

export const blank: Draft = { realName: '', field: '', intro: '', works: [''], contact: '' };

const keyOf = (userId: string) => `expert-application:${userId}`;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Null: nothing was typed, or nothing that makes sense. */
export function readDraft(userId: string): Draft | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(keyOf(userId)) ?? 'null') as Partial<
      Record<keyof Draft, unknown>
    > | null;
    if (kept === null) return null;
    const works = Array.isArray(kept.works) ? kept.works.map(textOf) : [];
    return {
      realName: textOf(kept.realName),
      field: textOf(kept.field),
      intro: textOf(kept.intro),
      works: works.length === 0 ? [''] : works,
      contact: textOf(kept.contact),
    };
  } catch {
    return null;
  }
}

export function keepDraft(userId: string, draft: Draft | null): void {
  try {
    if (draft === null) sessionStorage.removeItem(keyOf(userId));
    else sessionStorage.setItem(keyOf(userId), JSON.stringify(draft));
  } catch {
    // A browser that keeps nothing: what was typed still stands in the form.
  }
}
