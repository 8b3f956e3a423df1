import { Button, Flex, Input } from 'antd';
import { useDictItems } from '#admin/lib/dicts.ts';
import type { Field } from './fields.tsx';
import styles from './reason-field.module.css';

export interface Reason {
  reason: string;
}

interface ReasonInputProps {
  /** Code of the dictionary with common reasons. */
  dict: string;
  max: number;
  /** Set by the form. */
  id?: string;
  value?: string;
  onChange?: (value: string) => void;
}

/** Buttons that insert common reasons into a text area. */
function ReasonInput({ dict, max, id, value = '', onChange }: ReasonInputProps) {
  const common = useDictItems(dict);
  const toggle = (reason: string) => {
    const lines = value.split('\n').filter((line) => line.trim() !== '');
    const next = lines.includes(reason) ? lines.filter((line) => line !== reason) : [...lines, reason];
    onChange?.(next.join('\n').slice(0, max));
  };
  return (
    <div className={styles.reason}>
      {common.length === 0 ? null : (
        <Flex wrap gap={6}>
          {common.map((reason) => (
            <Button
              key={reason}
              size="small"
              className={styles.choice}
              aria-pressed={value.split('\n').includes(reason)}
              onClick={() => toggle(reason)}
            >
              {reason}
            </Button>
          ))}
        </Flex>
      )}
      <Input.TextArea
        id={id}
        rows={4}
        maxLength={max}
        showCount
        value={value}
        onChange={(event) => onChange?.(event.target.value)}
      />
    </div>
  );
}

interface ReasonFieldProps extends Pick<ReasonInputProps, 'dict' | 'max'> {
  label: string;
  help: string;
}

/** Form field for a reason that the author will read. */
export const reasonField = ({ label, help, dict, max }: ReasonFieldProps): Field<Reason> => ({
  name: 'reason',
  kind: 'own',
  label,
  help,
  rules: [{ required: true, whitespace: true, message: '请写明理由' }],
  control: <ReasonInput dict={dict} max={max} />,
});
