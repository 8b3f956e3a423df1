import { Button, type ButtonProps, Tooltip } from 'antd';

interface IconButtonProps extends Omit<ButtonProps, 'aria-label' | 'type' | 'title'> {
  label: string;
  /** On hover, where it is not the label. */
  tip?: string;
}

/** A button of an icon alone, which says on hover what it does. */
export function IconButton({ label, tip = label, ...rest }: IconButtonProps) {
  return (
    <Tooltip title={tip}>
      <Button type="text" aria-label={label} {...rest} />
    </Tooltip>
  );
}
