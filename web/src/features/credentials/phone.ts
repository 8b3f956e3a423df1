const PHONE = /^1\d{10}$/;

/** Normalizes a phone number, which browsers may fill in with +86 and spaces; other input is only trimmed. */
export function normalizeTarget(typed: string): string {
  const digits = typed.replace(/\s/g, '').replace(/^\+86-?/, '');
  return PHONE.test(digits) ? digits : typed.trim();
}

export const isPhone = (target: string): boolean => PHONE.test(target);
