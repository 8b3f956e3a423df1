const PHONE = /^1\d{10}$/;

/** A number as the server knows it, also when browsers fill it in with +86; names have neither + nor spaces, and stay. */
export function tidyTarget(typed: string): string {
  const digits = typed.replace(/\s/g, '').replace(/^\+86-?/, '');
  return PHONE.test(digits) ? digits : typed.trim();
}

export const isPhone = (target: string): boolean => PHONE.test(target);
