import { Input } from 'antd';
import type { Field } from './fields.tsx';

interface TextFieldProps<V> {
  name: keyof V & string;
  label: string;
  help: string;
  max: number;
  /** Said when nothing was written; without it nothing has to be. */
  missing?: string;
}

/** Some lines of text. */
export const textField = <V,>({ name, label, help, max, missing }: TextFieldProps<V>): Field<V> => ({
  name,
  kind: 'own',
  label,
  help,
  rules: missing === undefined ? [] : [{ required: true, whitespace: true, message: missing }],
  control: <Input.TextArea rows={3} maxLength={max} showCount />,
});
