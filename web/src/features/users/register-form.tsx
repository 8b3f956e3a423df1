import { hasCode } from '@mozhan/client/errors.ts';
import { useRef, useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { missing, useForm } from '#web/lib/form.ts';
import { Link } from '#web/router.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { AccountField } from './account-field.tsx';
import { createChallengeSolver, sendWithChallenge } from './challenge.ts';
import { NewPasswordField } from './new-password-field.tsx';
import type { OnSignedIn } from './password-form.tsx';

const Optional = () => <span>选填</span>;

interface RegisterFormProps {
  onSignedIn: OnSignedIn;
  /** From the address, when somebody invited the reader. */
  invite: string;
}

export function RegisterForm({ onSignedIn, invite }: RegisterFormProps) {
  const api = useApi();
  const solver = useRef(createChallengeSolver(api));
  const [account, setAccount] = useState('');

  const { busy, errors, problem, props } = useForm({
    names: ['account', 'displayName', 'password', 'inviteCode'],
    check: (values) => missing(values, { account: '请填写账号', password: '请填写密码' }),
    async submit({ account, displayName, password, inviteCode }) {
      const first = await solver.current.take();
      const user = await sendWithChallenge(
        solver.current,
        (challenge) =>
          api('POST core/user/', {
            account,
            password,
            displayName: displayName.trim() || undefined,
            inviteCode: inviteCode.trim() || undefined,
            challenge,
          }),
        first,
      );
      await onSignedIn(user, password);
    },
    place: (error) => (hasCode(error, 'ACCOUNT_TAKEN') ? 'account' : undefined),
  });

  return (
    <form className="stack gap-5" {...props} onFocus={() => solver.current.prepare()}>
      <AccountField
        maxLength={254}
        hint="4–32 位小写字母、数字、下划线或短横线，也可以用邮箱"
        error={errors.account}
        onInput={(event) => setAccount(event.currentTarget.value)}
      />
      <Field
        name="displayName"
        label="昵称"
        placeholder="别人看到的名字"
        autoComplete="nickname"
        maxLength={30}
        aside={<Optional />}
        error={errors.displayName}
      />
      <NewPasswordField name="password" label="密码" account={account} error={errors.password} />
      <Field
        key={invite}
        name="inviteCode"
        label="邀请码"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={32}
        defaultValue={invite}
        aside={<Optional />}
        error={errors.inviteCode}
      />
      {problem ? <Notice tone="bad">{problem}</Notice> : null}
      <Button type="submit" look="primary" size="large" block busy={busy}>
        {busy ? '正在注册…' : '注册'}
      </Button>
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
