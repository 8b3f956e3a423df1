import { hasErrorCode } from '@mozhan/client/errors.ts';
import { useState } from 'react';
import { AccountField } from '#web/features/credentials/account-field.tsx';
import { useChallenge } from '#web/features/credentials/challenge.ts';
import { FormFooter } from '#web/features/credentials/form-footer.tsx';
import { NewPasswordField } from '#web/features/credentials/new-password-field.tsx';
import { useApi } from '#web/lib/app-context.ts';
import { requiredFieldErrors, useForm } from '#web/lib/form.ts';
import { Link } from '#web/router/router.tsx';
import { Field } from '#web/ui/field.tsx';
import type { OnSignedIn } from './password-form.tsx';

const Optional = () => <span>选填</span>;

interface RegisterFormProps {
  onSignedIn: OnSignedIn;
  /** The invite code from the URL. */
  invite: string;
  isInviteRequired: boolean;
}

export function RegisterForm({ onSignedIn, invite, isInviteRequired }: RegisterFormProps) {
  const api = useApi();
  const { prepare, sendWithProof } = useChallenge(api);
  const [account, setAccount] = useState('');

  const form = useForm({
    names: ['account', 'displayName', 'password', 'inviteCode'],
    check: (values) =>
      requiredFieldErrors(values, {
        account: '请填写账号',
        password: '请填写密码',
        ...(isInviteRequired ? { inviteCode: '本站凭邀请码注册，请填写邀请码' } : {}),
      }),
    async submit({ account, displayName, password, inviteCode }) {
      const user = await sendWithProof((challenge) =>
        api('POST core/user/', {
          account,
          password,
          displayName: displayName.trim() || undefined,
          inviteCode: inviteCode.trim() || undefined,
          challenge,
        }),
      );
      await onSignedIn(user, password);
    },
    fieldOfError: (error) => (hasErrorCode(error, 'ACCOUNT_TAKEN') ? 'account' : undefined),
  });

  return (
    <form className="stack gap-5" {...form.props} onFocus={prepare}>
      <AccountField
        {...form.field('account')}
        maxLength={254}
        hint="4–32 位小写字母、数字、下划线或短横线，也可以用邮箱"
        onInput={(event) => setAccount(event.currentTarget.value)}
      />
      <Field
        {...form.field('displayName')}
        label="昵称"
        placeholder="别人看到的名字"
        autoComplete="nickname"
        maxLength={30}
        aside={<Optional />}
      />
      <NewPasswordField {...form.field('password')} label="密码" account={account} />
      <Field
        {...form.field('inviteCode')}
        key={invite}
        label="邀请码"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={32}
        defaultValue={invite}
        {...(isInviteRequired
          ? { hint: '本站凭邀请码注册，可以向已经注册的朋友要一个' }
          : { aside: <Optional /> })}
      />
      <FormFooter form={form} large action="注册" busyLabel="正在注册…" />
      <p className="ink-3 text-s text-center">
        注册即表示同意
        <Link to="/usp.html" target="_blank" className="link">
          服务协议
        </Link>
        和
        <Link to="/privacy.html" target="_blank" className="link">
          隐私政策
        </Link>
      </p>
    </form>
  );
}
