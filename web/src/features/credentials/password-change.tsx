import { hasErrorCode } from '@mozhan/client/errors.ts';
import { useApi } from '#web/lib/app-context.ts';
import { requiredFieldErrors, useForm } from '#web/lib/form.ts';
import { PasswordField } from '#web/ui/field.tsx';
import { useChallenge } from './challenge.ts';
import { FormFooter } from './form-footer.tsx';
import { NewPasswordField } from './new-password-field.tsx';

interface PasswordChangeProps {
  account: string;
  /** The password just used to sign in; the form asks for it if undefined. */
  oldPassword?: string;
  action?: string;
  onDone: () => Promise<void> | void;
}

/** Changes the password: voluntarily, or after the first sign-in with an initial password. */
export function PasswordChange({ account, oldPassword, action = '保存并继续', onDone }: PasswordChangeProps) {
  const api = useApi();
  const { send } = useChallenge(api);
  const isOldPasswordKnown = oldPassword !== undefined;
  const form = useForm({
    names: ['oldPassword', 'newPassword'],
    check: (values) =>
      requiredFieldErrors(values, {
        newPassword: '请填写新密码',
        ...(isOldPasswordKnown ? {} : { oldPassword: '请填写当前密码' }),
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
    fieldOfError: (error) =>
      hasErrorCode(error, 'WRONG_PASSWORD', 'ACCOUNT_LOCKED') && !isOldPasswordKnown
        ? 'oldPassword'
        : undefined,
  });
  return (
    <form className="stack gap-5" {...form.props}>
      <input type="hidden" name="username" autoComplete="username" value={account} readOnly />
      {isOldPasswordKnown ? null : (
        <PasswordField {...form.field('oldPassword')} label="当前密码" autoComplete="current-password" />
      )}
      <NewPasswordField {...form.field('newPassword')} label="新密码" account={account} />
      <FormFooter form={form} large action={action} busyLabel="正在保存…" />
    </form>
  );
}
