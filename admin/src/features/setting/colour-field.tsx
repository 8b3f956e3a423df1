import { Flex, Input } from 'antd';
import { tonesOf } from '#admin/lib/colour.ts';
import { useScheme } from '#admin/lib/theme.ts';
import styles from './setting-form.module.css';

interface ColourFieldProps {
  disabled: boolean;
  id?: string;
  value?: string;
  onChange?: (value: string) => void;
}

const HEX = /^#[0-9a-f]{6}$/i;

export function ColourField({ disabled, id, value = '', onChange }: ColourFieldProps) {
  const scheme = useScheme();
  const isColour = HEX.test(value);
  const { base } = tonesOf(isColour ? value : '#000000', scheme);
  return (
    <Flex wrap gap={8} align="center">
      <input
        className={styles.colour}
        type="color"
        aria-label="选择主色"
        disabled={disabled}
        value={isColour ? value.toLowerCase() : '#000000'}
        onChange={(event) => onChange?.(event.target.value)}
      />
      <Input
        id={id}
        className={styles.hex}
        disabled={disabled}
        value={value}
        maxLength={7}
        onChange={(event) => onChange?.(event.target.value)}
      />
      {isColour && base !== value.toLowerCase() ? (
        <span className={styles.derived}>
          <i style={{ background: base }} aria-hidden="true" />
          文字和按钮用 {base}，保证看得清
        </span>
      ) : null}
    </Flex>
  );
}
