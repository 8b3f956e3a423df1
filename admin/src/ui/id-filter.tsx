import { Tag } from 'antd';

interface IdFilterProps {
  /** 一张订单 … */
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** Filter by an id from another screen's link; visible only while set. */
export function IdFilter({ label, value, onChange }: IdFilterProps) {
  if (value === undefined) return null;
  return (
    <Tag variant="filled" closable={{ 'aria-label': `不再只看${label}` }} onClose={() => onChange(undefined)}>
      只看{label} …{value.slice(-6)}
    </Tag>
  );
}
