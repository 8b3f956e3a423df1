import { type FieldErrors, missing, type Values } from '#web/lib/form.ts';

type Name = 'title' | 'taxNo' | 'email';

const TAX_NO = /^([0-9A-Z]{15}|[0-9A-Z]{17,18}|[0-9A-Z]{20})?$/i;
const EMAIL = /^[^\s@]{1,200}@[^\s@.]+(?:\.[^\s@.]+)+$/;

/** What the server would refuse, said at once. */
export function checkInvoice(values: Values<Name>): FieldErrors<Name> {
  return {
    ...(TAX_NO.test(values.taxNo.trim())
      ? {}
      : { taxNo: '税号应是 15、17、18 或 20 位数字与字母；个人不填' }),
    ...(EMAIL.test(values.email.trim()) ? {} : { email: '邮箱地址的格式不对' }),
    ...missing(values, { title: '请填写抬头', email: '请填写收票的邮箱' }),
  };
}
