/** Lower-case Latin letters, digits and letters of Chinese, Japanese and Korean, in words joined by single hyphens. */
export const SLUG_PATTERN =
  /^[a-z0-9\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+(?:-[a-z0-9\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+)*$/u;

export const SLUG_MESSAGE = '请用 2–80 个小写字母、数字、汉字，中间可以有短横线';

/** Whether an address with this text in place of an id would be taken for that of an id. */
export const isIdLike = (text: string): boolean => /^[0-9a-f]{32}$/.test(text.replaceAll('-', ''));
