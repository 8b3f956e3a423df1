import { ArrowDownOutlined, ArrowUpOutlined } from '@ant-design/icons';
import { Button, Space } from 'antd';

interface MoveButtonsProps {
  name: string;
  isFirst: boolean;
  isLast: boolean;
  /** Reason why moving is disabled. */
  blocked?: string | undefined;
  onMove: (by: -1 | 1) => void;
}

export function MoveButtons({ name, isFirst, isLast, blocked, onMove }: MoveButtonsProps) {
  return (
    <Space size={0}>
      <Button
        type="text"
        size="small"
        icon={<ArrowUpOutlined />}
        aria-label={`上移：${name}`}
        title={blocked}
        disabled={isFirst || blocked !== undefined}
        onClick={() => onMove(-1)}
      />
      <Button
        type="text"
        size="small"
        icon={<ArrowDownOutlined />}
        aria-label={`下移：${name}`}
        title={blocked}
        disabled={isLast || blocked !== undefined}
        onClick={() => onMove(1)}
      />
    </Space>
  );
}
