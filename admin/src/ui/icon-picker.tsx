import { Select, Space } from 'antd';
import { NamedIcon } from './icons.tsx';

interface IconPickerProps {
  icons: Parameters<typeof NamedIcon>[0]['icons'];
  /** Set by the form. */
  id?: string;
  value?: string;
  onChange?: (value: string) => void;
}

export function IconPicker({ icons, id, value, onChange }: IconPickerProps) {
  const options = Object.entries(icons).map(([name, { label }]) => ({
    value: name,
    text: label,
    label: (
      <Space size={8}>
        <NamedIcon icons={icons} name={name} />
        {label}
      </Space>
    ),
  }));
  return (
    <Select
      id={id}
      allowClear
      showSearch={{ optionFilterProp: 'text' }}
      placeholder="不用图标"
      options={options}
      value={value === '' ? undefined : value}
      onChange={(name: string | undefined) => onChange?.(name ?? '')}
    />
  );
}
