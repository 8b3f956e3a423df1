import { Tag } from 'antd';
import type { Option } from './fields.tsx';

export interface Label {
  label: string;
  /** antd's tag colours: success, warning, error, processing, default. */
  color?: string;
}

/** Labels of an enum's values, with the colours of their tags. */
export type Labels<K extends string | number = string | number> = Record<K, Label | string>;

export const textOf = <K extends string | number>(labels: Labels<K>, value: K): string => {
  const label = labels[value];
  return typeof label === 'string' ? label : label.label;
};

export const optionsOf = (labels: Labels): Option[] =>
  Object.keys(labels).map((value) => ({ value, label: textOf(labels, value) }));

/** The tag of a value; `text` replaces its label. */
export function LabelTag<K extends string | number>(props: { of: Labels<K>; value: K; text?: string }) {
  const label = props.of[props.value];
  return (
    <Tag variant="filled" color={typeof label === 'string' ? undefined : label.color}>
      {props.text ?? textOf(props.of, props.value)}
    </Tag>
  );
}
