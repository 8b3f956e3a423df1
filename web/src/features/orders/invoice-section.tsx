import type { Order } from '@mozhan/contract/orders.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { invalidateOrderQueries } from '#web/features/paying/order-queries.ts';
import { useApi } from '#web/lib/app-context.ts';
import { type FieldErrors, type FormValues, requiredFieldErrors, useForm } from '#web/lib/form.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { Field } from '#web/ui/field.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './orders.module.css';

type Name = 'title' | 'taxNo' | 'email';

const TAX_NO = /^([0-9A-Z]{15}|[0-9A-Z]{17,18}|[0-9A-Z]{20})?$/i;
const EMAIL = /^[^\s@]{1,200}@[^\s@.]+(?:\.[^\s@.]+)+$/;

/** Mirrors the checks of the server. */
function checkInvoice(values: FormValues<Name>): FieldErrors<Name> {
  return {
    ...(TAX_NO.test(values.taxNo.trim())
      ? {}
      : { taxNo: '税号应是 15、17、18 或 20 位数字与字母；个人不填' }),
    ...(EMAIL.test(values.email.trim()) ? {} : { email: '邮箱地址的格式不对' }),
    ...requiredFieldErrors(values, { title: '请填写抬头', email: '请填写收票的邮箱' }),
  };
}

interface InvoiceFormProps {
  order: Order;
  onDone: () => void;
}

function InvoiceForm({ order: { id, invoice }, onDone }: InvoiceFormProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  const form = useForm({
    names: ['title', 'taxNo', 'email'],
    initial: invoice,
    check: checkInvoice,
    submit: async (values) => {
      await api('PUT core/user/order/invoice', { id, ...values });
      await invalidateOrderQueries(queryClient);
      toast('发票信息已保存');
      onDone();
    },
  });
  return (
    <DialogForm form={form} action="保存" onCancel={onDone}>
      <Field
        {...form.field('title')}
        label="抬头"
        placeholder="个人姓名或单位全称"
        maxLength={100}
        autoComplete="organization"
      />
      <Field
        {...form.field('taxNo')}
        label="税号"
        placeholder="统一社会信用代码"
        hint="个人抬头不用填。"
        maxLength={20}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
      />
      <Field {...form.field('email')} label="收票邮箱" type="email" maxLength={100} autoComplete="email" />
    </DialogForm>
  );
}

export function InvoiceSection({ order }: { order: Order }) {
  const [isEditing, setEditing] = useState(false);
  const { invoice } = order;
  return (
    <section className={styles.invoice} aria-labelledby="invoice">
      <header>
        <h3 id="invoice">发票信息</h3>
        {isEditing ? null : (
          <Button size="small" onClick={() => setEditing(true)}>
            {invoice === null ? '填写' : '修改'}
          </Button>
        )}
      </header>
      {isEditing ? (
        <InvoiceForm order={order} onDone={() => setEditing(false)} />
      ) : invoice === null ? (
        <p className="ink-3 text-m">需要发票时填写，工作人员开好后发到你的邮箱。</p>
      ) : (
        <dl className={`stack gap-2 text-m ${styles.detail}`}>
          <div>
            <dt>抬头</dt>
            <dd>{invoice.title}</dd>
          </div>
          <div>
            <dt>税号</dt>
            <dd>{invoice.taxNo || '个人，无'}</dd>
          </div>
          <div>
            <dt>收票邮箱</dt>
            <dd>{invoice.email || '没有填写'}</dd>
          </div>
        </dl>
      )}
    </section>
  );
}
