import type { ReactNode } from 'react';
import type { useForm } from '../lib/form.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

interface DialogFormProps {
  form: Pick<ReturnType<typeof useForm<never>>, 'busy' | 'problem' | 'props'>;
  className?: string;
  buttonsClass?: string | undefined;
  action: string;
  danger?: boolean;
  onCancel: () => void;
  children: ReactNode;
}

/** A form that can be left: what went wrong above its fields, the two buttons below them. */
export const DialogForm = (props: DialogFormProps) => {
  const {
    form,
    className = 'stack gap-5',
    buttonsClass = '',
    action,
    danger = false,
    onCancel,
    children,
  } = props;
  return (
    <form {...form.props} className={className}>
      {form.problem === '' ? null : <Notice tone="bad">{form.problem}</Notice>}
      {children}
      <div className={`flex end gap-2 ${buttonsClass}`}>
        <Button onClick={onCancel}>取消</Button>
        <Button look={danger ? 'danger' : 'primary'} type="submit" busy={form.busy}>
          {action}
        </Button>
      </div>
    </form>
  );
};
