import { errorMessageOf } from '@mozhan/client/errors.ts';
import { clearSession } from '@mozhan/client/session.ts';
import { FLAG } from '@mozhan/contract/enums.ts';
import type { CurrentUser } from '@mozhan/contract/users.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { updateCachedMe } from '#web/features/account/me.ts';
import { PasswordChange } from '#web/features/credentials/password-change.tsx';
import { resetPersonalQueries } from '#web/features/sign-in/reset-personal-queries.ts';
import { useApi } from '#web/lib/app-context.ts';
import { useSite } from '#web/lib/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { confirm } from '#web/ui/confirm.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import { ContactBinding } from './contact-binding.tsx';
import styles from './settings.module.css';
import { TotpEnrolment, TotpRemoval } from './totp-forms.tsx';

interface SecurityRowProps {
  title: string;
  text: ReactNode;
  action?: ReactNode;
}

function SecurityRow({ title, text, action }: SecurityRowProps) {
  return (
    <li className={styles.row}>
      <div>
        <h3>{title}</h3>
        <p>{text}</p>
      </div>
      {action}
    </li>
  );
}

function useSignOutEverywhere(): () => Promise<void> {
  const api = useApi();
  const queryClient = useQueryClient();
  return async () => {
    const isConfirmed = await confirm({
      title: '退出所有设备？',
      text: '包括这一台。之后每台设备都要重新登录，API 令牌也会失效。',
      action: '全部退出',
      danger: true,
    });
    if (!isConfirmed) return;
    try {
      await api('DELETE core/account/login', { all: FLAG.on });
    } catch (error) {
      toast(`没能退出：${errorMessageOf(error)}`, 'bad');
      return;
    }
    // The route requires sign-in, so the router leads to the login page.
    clearSession();
    resetPersonalQueries(queryClient);
    toast('已退出所有设备');
  };
}

interface DialogContent {
  title: string;
  form: ReactNode;
}

function describeEmail({ email, emailBounce }: CurrentUser): string {
  if (email === null) return '还没有绑定。绑定以后，忘记密码时可以用它找回。';
  return emailBounce === null ? email : `${email}（${emailBounce}；请更换，或重新验证）`;
}

export function SecurityPanel({ me }: { me: CurrentUser }) {
  const { features, settings } = useSite();
  const api = useApi();
  const queryClient = useQueryClient();
  const signOutEverywhere = useSignOutEverywhere();
  const [open, setOpen] = useState(false);
  /** Stays the same while the dialog closes. */
  const [dialogContent, setDialogContent] = useState<DialogContent>({ title: '', form: null });

  function openDialog(title: string, form: ReactNode): void {
    setDialogContent({ title, form });
    setOpen(true);
  }

  function finish(message: string, change: Partial<CurrentUser> = {}): void {
    updateCachedMe(queryClient, api, (me) => ({ ...me, ...change }));
    setOpen(false);
    toast(message);
  }

  const bindEmail = () =>
    openDialog(
      me.email === null ? '绑定邮箱' : '更换邮箱',
      <ContactBinding kind="email" onDone={({ email }) => finish('邮箱已绑定', { email })} />,
    );
  const bindPhone = () =>
    openDialog(
      me.phone === null ? '绑定手机号' : '更换手机号',
      <ContactBinding kind="phone" onDone={({ phone }) => finish('手机号已绑定', { phone })} />,
    );
  const changePassword = () =>
    openDialog(
      '修改密码',
      <PasswordChange
        account={me.account}
        action="修改密码"
        onDone={() => finish('密码已更新，其他设备需要重新登录')}
      />,
    );
  const enrol = () =>
    openDialog('开启两步验证', <TotpEnrolment onDone={() => finish('两步验证已开启', { totpOn: true })} />);
  const remove = () =>
    openDialog('关闭两步验证', <TotpRemoval onDone={() => finish('两步验证已关闭', { totpOn: false })} />);

  return (
    <>
      <ul className={styles.rows}>
        <SecurityRow title="登录账号" text={me.account} />
        {features.mail ? (
          <SecurityRow
            title="邮箱"
            text={describeEmail(me)}
            action={
              <Button onClick={bindEmail}>
                {me.email === null ? '绑定邮箱' : me.emailBounce === null ? '更换邮箱' : '更换或重新验证'}
              </Button>
            }
          />
        ) : null}
        {features.sms ? (
          <SecurityRow
            title="手机号"
            text={
              me.phone ??
              (settings.requirePhone && me.access === 'user'
                ? '还没有绑定。绑定以后才能提交文章、评论和聊天，也可以用它登录、找回密码。'
                : '还没有绑定。绑定以后，可以用它登录、找回密码。')
            }
            action={<Button onClick={bindPhone}>{me.phone === null ? '绑定手机号' : '更换手机号'}</Button>}
          />
        ) : null}
        <SecurityRow
          title="密码"
          text="修改以后，其他设备上的登录和 API 令牌会失效。"
          action={<Button onClick={changePassword}>修改密码</Button>}
        />
        {me.access === 'admin' ? (
          <SecurityRow
            title="两步验证"
            text={
              me.totpOn
                ? '已开启。登录时除了密码，还要手机上的动态验证码。'
                : '未开启。你的账号能进后台，建议开启：登录时除了密码，还要手机上的动态验证码。'
            }
            action={
              me.totpOn ? (
                <Button onClick={remove}>关闭验证</Button>
              ) : (
                <Button onClick={enrol}>开启验证</Button>
              )
            }
          />
        ) : null}
        <SecurityRow
          title="退出所有设备"
          text="在别处忘了退出，或者觉得不对劲？一次退出所有设备，包括这一台。"
          action={
            <Button variant="danger" onClick={signOutEverywhere}>
              全部退出
            </Button>
          }
        />
      </ul>
      <Dialog open={open} onOpenChange={setOpen} title={dialogContent.title}>
        {dialogContent.form}
      </Dialog>
    </>
  );
}
