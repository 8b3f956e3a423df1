import type { Site } from '@mozhan/contract/site.ts';

export type Features = Site['features'];

interface Words {
  /** Of the field, and in sentences. */
  name: string;
  hint: string;
}

/** Where a code to sign in may go, in the words of what this site can send. */
export function codeWords({ mail, sms }: Features): Words {
  if (mail && sms) return { name: '邮箱或手机号', hint: '填绑定的邮箱收邮件，填绑定的手机号收短信' };
  return sms
    ? { name: '手机号', hint: '验证码会用短信发到绑定的手机号' }
    : { name: '邮箱', hint: '验证码会发到绑定的邮箱' };
}

/** Likewise of a code that resets the password: a mail goes to the address of the account, whichever name was typed. */
export function resetWords({ mail, sms }: Features): Words & { placeholder: string } {
  if (mail && sms)
    return { name: '账号', placeholder: '手机号、邮箱或用户名', hint: '填手机号收短信，填其他的收邮件' };
  return sms
    ? { name: '手机号', placeholder: '绑定的手机号', hint: '验证码会用短信发到绑定的手机号' }
    : { name: '账号', placeholder: '用户名或邮箱', hint: '验证码会发到账号绑定的邮箱' };
}
