import { Tag } from 'antd';
import type { Option } from './fields.tsx';

export interface Label {
  label: string;
  /** Of antd's tags: success, warning, error, processing; without it grey. */
  color?: string;
}

/** What the values of a state are called, and the colours of their tags. */
export type Labels<K extends string | number = string | number> = Record<K, Label | string>;

export const textOf = <K extends string | number>(labels: Labels<K>, value: K): string => {
  const label = labels[value];
  return typeof label === 'string' ? label : label.label;
};

/** To choose one of them. */
export const optionsOf = (labels: Labels): Option[] =>
  Object.keys(labels).map((value) => ({ value, label: textOf(labels, value) }));

/** The tag of one value; `text` where it says more than its label. */
export function LabelTag<K extends string | number>(props: { of: Labels<K>; value: K; text?: string }) {
  const label = props.of[props.value];
  return (
    <Tag variant="filled" color={typeof label === 'string' ? undefined : label.color}>
      {props.text ?? textOf(props.of, props.value)}
    </Tag>
  );
}
