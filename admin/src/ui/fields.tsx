import { FLAG, toFlag } from '@mozhan/contract/enums.ts';
import { toYuan } from '@mozhan/contract/money.ts';
import { Form, type FormItemProps, Input, InputNumber, Radio, Select, Switch } from 'antd';
import type { KeyboardEvent, ReactNode } from 'react';
import styles from './form-panel.module.css';
import { MomentInput } from './moment-input.tsx';
import { MoneyInput } from './money-input.tsx';

export interface Option {
  value: string;
  label: string;
  disabled?: boolean;
}

interface CommonOptions {
  label: string;
  help?: ReactNode;
  required?: boolean;
  rules?: FormItemProps['rules'];
  disabled?: boolean;
}

type Kind =
  | { kind: 'text'; maxLength?: number; placeholder?: string }
  | { kind: 'lines'; maxLength: number; rows?: number }
  | { kind: 'number'; min: number; max: number; suffix?: string }
  /** Typed in yuan, stored in fen. */
  | { kind: 'money'; min: number; max: number }
  /** Optional date and time. */
  | { kind: 'moment' }
  /** A switch whose value is 0 or 1. */
  | { kind: 'flag' }
  | { kind: 'switch' }
  | { kind: 'choice'; options: readonly Option[] }
  | { kind: 'select'; options: readonly Option[]; multiple?: boolean; placeholder?: string }
  /** A custom control with `value` and `onChange`. */
  | { kind: 'own'; control: ReactNode };

/** Declares a form field: label, control and client-side validation. */
export type Field<V> = CommonOptions & Kind & { name: keyof V & string };

/** False entries are skipped. */
export type FieldList<V> = readonly (Field<V> | false)[];

/** At the edge, the field would be covered by the header or the bar of buttons. */
export const SCROLL_TO_ERROR = { focus: true, block: 'center' } as const;
/** The count of a longer text helps nobody and covers the end of an error message. */
const MAX_COUNTED_LENGTH = 1000;

/** antd's select treats Tab as a selection, which would deselect the last item. */
const stopTabPropagation = (event: KeyboardEvent): void => {
  if (event.key === 'Tab') event.stopPropagation();
};

/** Must return the control itself, because the form passes it `value` and `onChange`. */
function controlOf(field: CommonOptions & Kind): ReactNode {
  // Undefined inherits from the form, which is disabled during submission.
  const disabled = field.disabled || undefined;
  switch (field.kind) {
    case 'text':
      return (
        <Input
          disabled={disabled}
          maxLength={field.maxLength}
          placeholder={field.placeholder}
          autoComplete="off"
        />
      );
    case 'lines':
      return (
        <Input.TextArea
          rows={field.rows ?? 3}
          maxLength={field.maxLength}
          showCount={field.maxLength <= MAX_COUNTED_LENGTH}
        />
      );
    case 'number':
      return (
        <InputNumber
          disabled={disabled}
          min={field.min}
          max={field.max}
          precision={0}
          suffix={field.suffix}
        />
      );
    case 'money':
      return <MoneyInput />;
    case 'moment':
      return <MomentInput />;
    case 'flag':
    case 'switch':
      return <Switch disabled={disabled} />;
    case 'choice':
      return (
        <Radio.Group
          aria-label={field.label}
          disabled={disabled}
          options={field.options.map((option) => ({ ...option }))}
        />
      );
    case 'select':
      return (
        <Select
          disabled={disabled}
          mode={field.multiple ? 'multiple' : undefined}
          onInputKeyDown={field.multiple ? stopTabPropagation : undefined}
          placeholder={field.placeholder}
          allowClear={!field.required}
          showSearch={{ optionFilterProp: 'label' }}
          options={field.options.map((option) => ({ ...option }))}
        />
      );
    case 'own':
      return field.control;
  }
}

const valueBinding = (kind: Kind['kind']): Partial<FormItemProps> => {
  if (kind === 'flag') {
    return {
      valuePropName: 'checked',
      getValueProps: (value: unknown) => ({ checked: value === FLAG.on }),
      normalize: (checked: unknown) => toFlag(Boolean(checked)),
    };
  }
  return kind === 'switch' ? { valuePropName: 'checked' } : {};
};

const verbs: Partial<Record<Kind['kind'], string>> = { text: '填写', lines: '写明', number: '填写' };

const requiredRule = (field: CommonOptions & Kind): NonNullable<FormItemProps['rules']> => {
  if (!field.required) return [];
  const message = `请${verbs[field.kind] ?? '选择'}${field.label}`;
  if (field.kind === 'number') return [{ required: true, type: 'number', message }];
  if (field.kind === 'select' && field.multiple) return [{ required: true, type: 'array', message }];
  return [{ required: true, whitespace: field.kind === 'text' || field.kind === 'lines', message }];
};

const amountRule = (field: CommonOptions & Kind): NonNullable<FormItemProps['rules']> => {
  if (field.kind !== 'money') return [];
  const { min, max } = field;
  return [
    {
      validator: async (_, fen: number) => {
        if (Number.isNaN(fen)) throw new Error('请填写金额，例如 9.90');
        if (fen < min || fen > max) throw new Error(`请填写 ${toYuan(min)} 到 ${toYuan(max)} 元`);
      },
    },
  ];
};

const labelOf = ({ kind, label, required }: CommonOptions & Kind): string =>
  kind === 'text' && !required ? `${label}（可选）` : label;

export function FormField<V>({ field }: { field: Field<V> }) {
  return (
    // The wrapper has the bottom margin, because antd would use the item's margin for error messages.
    <div className={styles.field}>
      <Form.Item
        name={field.name}
        label={labelOf(field)}
        extra={field.help}
        required={field.required}
        rules={[...requiredRule(field), ...amountRule(field), ...(field.rules ?? [])]}
        validateTrigger="onSubmit"
        style={{ marginBottom: 0 }}
        {...valueBinding(field.kind)}
      >
        {controlOf(field)}
      </Form.Item>
    </div>
  );
}
