import { Button, type ButtonProps, Tooltip } from 'antd';

interface IconButtonProps extends Omit<ButtonProps, 'aria-label' | 'type' | 'title'> {
  label: string;
  /** Tooltip; default: the label. */
  tip?: string;
}

export function IconButton({ label, tip = label, ...rest }: IconButtonProps) {
  return (
    <Tooltip title={tip}>
      <Button type="text" aria-label={label} {...rest} />
    </Tooltip>
  );
}
