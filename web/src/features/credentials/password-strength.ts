export interface PasswordStrength {
  /** 0: empty, 1: not allowed or weak, 2: fair, 3: good. */
  level: 0 | 1 | 2 | 3;
  advice: string;
}

const MIN_LENGTH = 8;

/** Hint while typing; the server decides what is accepted. */
export function passwordStrength(password: string, account = ''): PasswordStrength {
  const length = [...password].length;
  if (length === 0) return { level: 0, advice: `至少 ${MIN_LENGTH} 个字符，几个不相干的词最好记` };
  if (length < MIN_LENGTH) return { level: 1, advice: `还差 ${MIN_LENGTH - length} 个字符` };
  if (account.length >= 4 && password.toLowerCase().includes(account.toLowerCase()))
    return { level: 1, advice: '不要把账号写进密码里' };
  if (new Set(password).size <= 3) return { level: 1, advice: '重复太多，容易被猜到' };
  if (/^\d+$/.test(password)) return { level: 1, advice: '全是数字，容易被猜到' };
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z0-9]/].filter((kind) => kind.test(password)).length;
  if (length >= 14 || (length >= 11 && kinds >= 3)) return { level: 3, advice: '很好' };
  return { level: 2, advice: '可以用，再长一点更好' };
}
