import { hasCode } from '@mozhan/client/errors.ts';
import { useApi } from '#web/lib/app-context.ts';
import { missing, useForm } from '#web/lib/form.ts';
import { PasswordField } from '#web/ui/field.tsx';
import { useChallenge } from './challenge.ts';
import { FormEnd } from './form-end.tsx';
import { NewPasswordField } from './new-password-field.tsx';

interface PasswordChangeProps {
  account: string;
  /** The one just used to sign in; asked for when there is none. */
  oldPassword?: string;
  action?: string;
  onDone: () => Promise<void> | void;
}

/** At will, or before anything else when the first password was chosen by somebody else. */
export function PasswordChange({ account, oldPassword, action = '保存并继续', onDone }: PasswordChangeProps) {
  const api = useApi();
  const { send } = useChallenge(api);
  const known = oldPassword !== undefined;
  const form = useForm({
    names: ['oldPassword', 'newPassword'],
    check: (values) =>
      missing(values, {
        newPassword: '请填写新密码',
        ...(known ? {} : { oldPassword: '请填写当前密码' }),
      }),
    async submit(values) {
      await send((challenge) =>
        api('PUT core/account/password', {
          oldPassword: oldPassword ?? values.oldPassword,
          newPassword: values.newPassword,
          challenge,
        }),
      );
      await onDone();
    },
    place: (error) =>
      hasCode(error, 'WRONG_PASSWORD', 'ACCOUNT_LOCKED') && !known ? 'oldPassword' : undefined,
  });
  return (
    <form className="stack gap-5" {...form.props}>
      <input type="hidden" name="username" autoComplete="username" value={account} readOnly />
      {known ? null : (
        <PasswordField {...form.field('oldPassword')} label="当前密码" autoComplete="current-password" />
      )}
      <NewPasswordField {...form.field('newPassword')} label="新密码" account={account} />
      <FormEnd form={form} large action={action} doing="正在保存…" />
    </form>
  );
}
