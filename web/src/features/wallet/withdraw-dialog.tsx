import { hasCode } from '@mozhan/client/errors.ts';
import { queriesOf } from '@mozhan/client/query-filter.ts';
import { formatYuan, parseYuan, toYuan } from '@mozhan/contract/money.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useReauth } from '#web/features/credentials/use-reauth.ts';
import { WithPrices } from '#web/features/paying/with-prices.tsx';
import { useApi } from '#web/lib/app-context.ts';
import { missing, useForm } from '#web/lib/form.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import type { Opened } from '#web/ui/late-dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { toast } from '#web/ui/toast.tsx';
import { Waiting } from '#web/ui/waiting.tsx';
import { AmountField } from './amount-field.tsx';

/** A withdrawal moved money: what is there, where it went and how far it is. */
function walletChanged(queryClient: QueryClient): void {
  void queryClient.invalidateQueries(
    queriesOf('GET core/user/wallet', 'GET core/user/wallet/entry', 'GET core/user/withdraw'),
  );
}

interface WithdrawFormProps {
  /** What there is, in fen; below zero after refunds. */
  earnings: number;
  least: number;
  onDone: () => void;
}

function amountProblem(
  fen: number | null,
  { earnings, least }: Pick<WithdrawFormProps, 'earnings' | 'least'>,
) {
  if (fen === null) return '请填写金额，最多两位小数';
  if (fen < least) return `每次至少提现 ${formatYuan(least)}`;
  return fen > earnings ? `可提现的收益只有 ${formatYuan(Math.max(0, earnings))}` : undefined;
}

function WithdrawForm({ earnings, least, onDone }: WithdrawFormProps) {
  const api = useApi();
  const withReauth = useReauth();
  const queryClient = useQueryClient();
  const [text, setText] = useState('');
  const fen = parseYuan(text);
  const { busy, errors, problem, field, props } = useForm({
    names: ['amount', 'account', 'realName'],
    check: (values) => {
      const amount = amountProblem(fen, { earnings, least });
      return {
        ...(amount === undefined ? {} : { amount }),
        ...(values.account.trim().length < 4 ? { account: '请填写支付宝账号，或银行卡号与开户行' } : {}),
        ...missing(values, { realName: '请填写收款人的真实姓名' }),
      };
    },
    submit: async ({ account, realName }) => {
      if (fen === null) return;
      await withReauth(() => api('POST core/user/withdraw', { amount: fen, account, realName }));
      toast('已申请提现，审批的结果会通知你');
      walletChanged(queryClient);
      onDone();
    },
    place: (error) => (hasCode(error, 'EARNINGS_TOO_LOW') ? 'amount' : undefined),
  });
  return (
    <form {...props} className="stack gap-5">
      {problem === '' ? null : <Notice tone="bad">{problem}</Notice>}
      <AmountField
        label="提现金额（元）"
        value={text}
        onChange={setText}
        aside={
          earnings < least ? null : (
            <Button look="ghost" size="small" onClick={() => setText(toYuan(earnings))}>
              全部
            </Button>
          )
        }
        hint={`可提现 ${formatYuan(Math.max(0, earnings))}，每次至少 ${formatYuan(least)}。`}
        error={errors.amount}
      />
      <Field
        {...field('account')}
        label="收款账户"
        placeholder="支付宝账号，或银行卡号与开户行"
        maxLength={100}
        autoComplete="off"
      />
      <Field
        {...field('realName')}
        label="收款人姓名"
        hint="要与收款账户的实名一致。"
        maxLength={30}
        autoComplete="name"
      />
      <Button look="primary" block type="submit" busy={busy}>
        申请提现
      </Button>
    </form>
  );
}

type WithdrawDialogProps = Pick<WithdrawFormProps, 'earnings'> & Opened;

/** A writer takes what they have earned. */
export const WithdrawDialog = ({ open, onOpenChange, earnings }: WithdrawDialogProps) => (
  <Dialog
    open={open}
    onOpenChange={onOpenChange}
    title="提现"
    description="申请后从收益中扣下，由工作人员审批、打款；没有通过的会退回收益。"
  >
    <WithPrices level="h3" waiting={<Waiting className="stack gap-5" lines={['100 l', '100 l']} />}>
      {({ withdrawMin }) => (
        <WithdrawForm earnings={earnings} least={withdrawMin} onDone={() => onOpenChange(false)} />
      )}
    </WithPrices>
  </Dialog>
);
