/** The content of the form, stored for this tab until it is submitted. */
export interface ApplicationDraft {
  realName: string;
  field: string;
  intro: string;
  works: string[];
  contact: string;
}

export const emptyApplicationDraft: ApplicationDraft = {
  realName: '',
  field: '',
  intro: '',
  works: [''],
  contact: '',
};

const storageKeyOf = (userId: string) => `expert-application:${userId}`;

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns null when nothing valid is stored. */
export function readApplicationDraft(userId: string): ApplicationDraft | null {
  try {
    const stored = JSON.parse(sessionStorage.getItem(storageKeyOf(userId)) ?? 'null') as Partial<
      Record<keyof ApplicationDraft, unknown>
    > | null;
    if (stored === null) return null;
    const works = Array.isArray(stored.works) ? stored.works.map(toText) : [];
    return {
      realName: toText(stored.realName),
      field: toText(stored.field),
      intro: toText(stored.intro),
      works: works.length === 0 ? [''] : works,
      contact: toText(stored.contact),
    };
  } catch {
    return null;
  }
}

export function storeApplicationDraft(userId: string, draft: ApplicationDraft | null): void {
  try {
    if (draft === null) sessionStorage.removeItem(storageKeyOf(userId));
    else sessionStorage.setItem(storageKeyOf(userId), JSON.stringify(draft));
  } catch {
    // When storage is blocked, the form still has its content.
  }
}
