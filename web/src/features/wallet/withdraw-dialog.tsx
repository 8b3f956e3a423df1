import { hasErrorCode } from '@mozhan/client/errors.ts';
import { queryFilterOf } from '@mozhan/client/query-filter.ts';
import { formatYuan, parseYuan, toYuan } from '@mozhan/contract/money.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useReauth } from '#web/features/credentials/use-reauth.ts';
import { WithPrices } from '#web/features/paying/with-prices.tsx';
import { useApi } from '#web/lib/app-context.ts';
import { requiredFieldErrors, useForm } from '#web/lib/form.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import type { DialogOpenProps } from '#web/ui/lazy-dialog.tsx';
import { LoadingSkeleton } from '#web/ui/loading-skeleton.tsx';
import { toast } from '#web/ui/toast.tsx';
import { AmountField } from './amount-field.tsx';

function invalidateWallet(queryClient: QueryClient): void {
  void queryClient.invalidateQueries(
    queryFilterOf('GET core/user/wallet', 'GET core/user/wallet/entry', 'GET core/user/withdraw'),
  );
}

interface WithdrawFormProps {
  /** In fen; negative after refunds. */
  earnings: number;
  minAmount: number;
  onDone: () => void;
}

function checkAmount(
  fen: number | null,
  { earnings, minAmount }: Pick<WithdrawFormProps, 'earnings' | 'minAmount'>,
) {
  if (fen === null) return '请填写金额，最多两位小数';
  if (fen < minAmount) return `每次至少提现 ${formatYuan(minAmount)}`;
  return fen > earnings ? `可提现的收益只有 ${formatYuan(Math.max(0, earnings))}` : undefined;
}

function WithdrawForm({ earnings, minAmount, onDone }: WithdrawFormProps) {
  const api = useApi();
  const withReauth = useReauth();
  const queryClient = useQueryClient();
  const [text, setText] = useState('');
  const fen = parseYuan(text);
  const { busy, errors, formError, field, props } = useForm({
    names: ['amount', 'account', 'realName'],
    check: (values) => {
      const amount = checkAmount(fen, { earnings, minAmount });
      return {
        ...(amount === undefined ? {} : { amount }),
        ...(values.account.trim().length < 4 ? { account: '请填写支付宝账号，或银行卡号与开户行' } : {}),
        ...requiredFieldErrors(values, { realName: '请填写收款人的真实姓名' }),
      };
    },
    submit: async ({ account, realName }) => {
      if (fen === null) return;
      await withReauth(() => api('POST core/user/withdraw', { amount: fen, account, realName }));
      toast('已申请提现，审批的结果会通知你');
      invalidateWallet(queryClient);
      onDone();
    },
    fieldOfError: (error) => (hasErrorCode(error, 'EARNINGS_TOO_LOW') ? 'amount' : undefined),
  });
  return (
    <form {...props} className="stack gap-5">
      {formError === '' ? null : <Alert tone="bad">{formError}</Alert>}
      <AmountField
        label="提现金额（元）"
        value={text}
        onChange={setText}
        aside={
          earnings < minAmount ? null : (
            <Button variant="ghost" size="small" onClick={() => setText(toYuan(earnings))}>
              全部
            </Button>
          )
        }
        hint={`可提现 ${formatYuan(Math.max(0, earnings))}，每次至少 ${formatYuan(minAmount)}。`}
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
      <Button variant="primary" block type="submit" busy={busy}>
        申请提现
      </Button>
    </form>
  );
}

type WithdrawDialogProps = Pick<WithdrawFormProps, 'earnings'> & DialogOpenProps;

export const WithdrawDialog = ({ open, onOpenChange, earnings }: WithdrawDialogProps) => (
  <Dialog
    open={open}
    onOpenChange={onOpenChange}
    title="提现"
    description="申请后从收益中扣下，由工作人员审批、打款；没有通过的会退回收益。"
  >
    <WithPrices level="h3" loading={<LoadingSkeleton className="stack gap-5" lines={['100 l', '100 l']} />}>
      {({ withdrawMin }) => (
        <WithdrawForm earnings={earnings} minAmount={withdrawMin} onDone={() => onOpenChange(false)} />
      )}
    </WithPrices>
  </Dialog>
);
